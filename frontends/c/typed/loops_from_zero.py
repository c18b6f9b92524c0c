"""Loops that begin where an outer loop says, counted from 0, so that indices form a box.

``for (m = go * g; m < go * (g + 1); m++) y[m] += x[m - go * g]`` in a loop of ``g`` becomes
``for (m = 0; m < go; m++) y[go * g + m] += x[m]``. Only for reading: no text is made of it. Loops
over parts of a tile stay, as nothing in them needs to know in which tile it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from s2s.frontends.c.counted_loops import CountedLoop, counted_loop
from s2s.frontends.c.facts import Facts
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.syntax import CASTS, CType, Decl, Node
from s2s.frontends.c.typed.nodes import number, reference
from s2s.scop.polynomial import Polynomial

_JUMPS = frozenset({"GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT", "LAMBDA_EXPR", "STMT_EXPR"})
_LARGEST = 1 << 31


def with_loops_from_zero(nest: Node, facts: Facts) -> Node:
    """A nest with loops that an outer one shifts counted from 0; itself where there are none."""
    return nest if nest.kinds & _JUMPS else _From0(facts).of(nest, {})


Ranges = Mapping[Decl, tuple[int, int] | None]
"""Variables of loops around a place, by steps of one, with their ends if these are known."""


@dataclass
class _From0:
    facts: Facts
    names: dict[str, Decl] = field(default_factory=dict)

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
        limit = number(count.constant, node.span, variable.type)
        if count.terms:
            limit = self._node(count, bound.limit)
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
        first, limit = self._polynomial(loop.first, around), self._polynomial(bound.limit, around)
        if first is None or limit is None:
            return None
        count = limit - first + Polynomial.integer(bound.relation == "<=")
        changing = {self._name(d) for d in around}
        if changing & count.names or len(count.terms) > 1 or count.constant < 0:
            return None
        return count

    def _range(self, loop: CountedLoop) -> tuple[int, int] | None:
        (bound, *more) = loop.bounds(1)
        low, high = constant_value(loop.first), constant_value(bound.limit)
        if more or low is None or high is None or bound.relation not in ("<", "<="):
            return None
        return low, high

    def _polynomial(self, node: Node, around: Ranges) -> Polynomial | None:
        """An expression of which no part wraps, over names of variables; None for another."""
        value = constant_value(node)
        if value is not None:
            return Polynomial.integer(value)
        if node.kind in CASTS and node.type.kind == "int" and node.children:
            inner = node.children[-1]
            most = self._most(inner, around)
            fits = most is not None and most < 1 << (8 * node.type.size - 1)
            if not fits and not _is_wide(node.type, inner.type):
                return None
            return self._polynomial(inner, around)
        if node.kind == "DECL_REF_EXPR" and node.decl is not None and node.type.kind == "int":
            steady = node.decl in around or self.facts.is_constant(node.decl)
            steady = steady and not node.type.volatile
            return Polynomial.name(self._name(node.decl)) if steady else None
        if node.kind != "BINARY_OPERATOR" or node.op not in ("+", "-", "*"):
            return None
        if not node.type.signed and self._most(node, around) is None:
            return None
        left, right = (self._polynomial(c, around) for c in node.children)
        if left is None or right is None:
            return None
        return left * right if node.op == "*" else left + right if node.op == "+" else left - right

    def _most(self, node: Node, around: Ranges) -> int | None:
        """The largest value of sums and products of what is not negative and known; else None."""
        value = constant_value(node)
        if value is not None:
            return value if 0 <= value < _LARGEST else None
        if node.kind in CASTS and node.children:
            return self._most(node.children[-1], around)
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            known = around.get(node.decl)
            return None if known is None or known[0] < 0 else known[1]
        if node.kind != "BINARY_OPERATOR" or node.op not in ("+", "*"):
            return None
        left, right = (self._most(c, around) for c in node.children)
        if left is None or right is None:
            return None
        found = left * right if node.op == "*" else left + right
        return found if found < _LARGEST else None

    def _name(self, decl: Decl) -> str:
        name = f"{decl.name}@{decl.offset}"
        self.names[name] = decl
        return name

    def _node(self, count: Polynomial, like: Node) -> Node:
        """The expression of a count of one term."""
        ((names, factor),) = count.terms.items()
        type_ = like.type
        made = number(factor, like.span, type_)
        for name in names:
            one = reference(self.names[name], like.span)
            made = one if made.value == 1 else _operation("*", made, one, type_)
        if not count.constant:
            return made
        return _operation("+", made, number(count.constant, like.span, type_), type_)


def _operation(op: str, left: Node, right: Node, type_: CType) -> Node:
    return Node("BINARY_OPERATOR", left.span, type_, [left, right], op=op)


def _is_wide(to: CType, source: CType) -> bool:
    """Whether a conversion keeps all values."""
    return to.size > source.size and (to.signed or not source.signed)


def _moved(node: Node, variable: Decl, by: Node) -> Node:
    """A body in which a variable stands for what is that much more."""
    if variable not in node.decls:
        return node
    if node.kind == "DECL_REF_EXPR":
        return _operation("+", _copied(by), node, node.type)
    return node.with_children([_moved(child, variable, by) for child in node.children])


def _copied(node: Node) -> Node:
    """The same expression once more, so that each part of a tree stands in it once."""
    return replace(node, children=[_copied(child) for child in node.children])
