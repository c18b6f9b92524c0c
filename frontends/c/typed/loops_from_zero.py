"""Loops that begin where an outer loop says, counted from 0, so that indices form a box.

``for (m = go * g; m < go * (g + 1); m++) y[m] += x[m - go * g]`` in a loop of ``g`` becomes
``for (m = 0; m < go; m++) y[go * g + m] += x[m]``. Only for reading: no text is made of it. Loops
over parts of a tile stay, as nothing in them needs to know in which tile it is.
"""

from __future__ import annotations

from dataclasses import replace

from s2s.frontends.c.counted_loops import CountedLoop, counted_loop
from s2s.frontends.c.facts import Facts
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.typed.nodes import copied, number, operation, reference
from s2s.frontends.c.typed.sizes import Ranges, Sizes
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

_JUMPS = frozenset({"GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT", "LAMBDA_EXPR", "STMT_EXPR"})


def with_loops_from_zero(nest: Node, facts: Facts) -> Node:
    """A nest with loops that an outer one shifts counted from 0; itself where there are none."""
    return nest if nest.kinds & _JUMPS else _From0(facts, Sizes(facts)).of(nest, {})


@dataclass
class _From0:
    facts: Facts
    sizes: Sizes

    def of(self, node: Node, around: Ranges) -> Node:
        if "FOR_STMT" not in node.kinds:
            return node
        if node.kind == "FOR_STMT":
            try:
                return self._loop(node, counted_loop(node), around)
            except NotAffine:
                pass
        return node.with_children([self.of(child, around) for child in node.children])

    def _loop(self, node: Node, loop: CountedLoop, around: Ranges) -> Node:
        *head, body = node.children
        variable = loop.variable
        moves = variable in body.assigned or variable in self.facts.escaped
        if loop.constant_step != 1 or moves or variable.type.size < 4:
            return node.with_children([*head, self.of(body, around)])
        (bound, *more) = loop.bounds(1)
        count = None if more else self._count(loop, around)
        shift = self._is_shifted(loop, around)
        body = self.of(body, {**around, variable: self._range(loop)})
        if count is None or not shift:
            return node.with_children([*head, body])
        start = node.children[0].children[0]
        init = node.children[0].with_children(
            [start.with_children([number(0, start.span, variable.type)])]
        )
        here = reference(variable, node.span)
        like = bound.limit if count.terms else reference(variable, node.span)
        limit = self.sizes.node(count, like)
        assert limit is not None  # of one term
        test = replace(
            loop.condition, op="<", children=[here, limit],
            _kinds=None, _decls=None, _assigned=None,
        )  # fmt: skip
        return node.with_children([init, test, head[2], _moved(body, variable, loop.first)])

    def _is_shifted(self, loop: CountedLoop, around: Ranges) -> bool:
        """Whether the first value moves with an outer loop that the body names as well."""
        outer = {d for d in loop.first.decls if d in around}
        return bool(loop.declared and outer & set(loop.body.decls))

    def _count(self, loop: CountedLoop, around: Ranges) -> Polynomial | None:
        """How many iterations there are, where no outer loop changes that."""
        (bound,) = loop.bounds(1)
        if not bound.is_exact or bound.relation not in ("<", "<="):
            return None
        first, limit = (
            self.sizes.polynomial(loop.first, around),
            self.sizes.polynomial(bound.limit, around),
        )
        if first is None or limit is None:
            return None
        count = limit - first + Polynomial.integer(bound.relation == "<=")
        changing = {self.sizes.name(d) for d in around}
        if changing & count.names or len(count.terms) > 1 or count.constant < 0:
            return None
        return count

    def _range(self, loop: CountedLoop) -> tuple[int, int] | None:
        (bound, *more) = loop.bounds(1)
        low, high = constant_value(loop.first), constant_value(bound.limit)
        if more or low is None or high is None or bound.relation not in ("<", "<="):
            return None
        return low, high


def _moved(node: Node, variable: Decl, by: Node) -> Node:
    """A body in which a variable stands for what is that much more."""
    if variable not in node.decls:
        return node
    if node.kind == "DECL_REF_EXPR":
        return operation("+", copied(by), node, node.type)
    return node.with_children([_moved(child, variable, by) for child in node.children])
