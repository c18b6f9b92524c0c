"""Sums of several iterations in an array, as sums of one iteration each.

``for (o...) { float r[8]; for (l...) r[l] = 0; for (i...) for (l...) r[l] += ...; for (l...)
out[l] = r[l]; }`` becomes ``for (o...) for (l...) { float r = 0; for (i...) r += ...; out[l] =
r; }``, and where a loop around goes on by 8 and only ``t + l`` is named, both loops are one of
steps of 1. Only for reading: no text is made of it. Iterations come in another order, so that
whoever uses the result has to know that what is written overlaps nothing that is read, and that no
element is written twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from s2s.frontends.c.counted_loops import CountedLoop, counted_loop
from s2s.frontends.c.facts import Facts, initializer
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.syntax import CASTS, Decl, Node
from s2s.frontends.c.typed.nodes import (
    INT,
    counted_from_zero,
    declaration,
    in_place,
    local,
    reference,
)
from s2s.source.records import dataclass

_REFUSED = frozenset(
    {"BREAK_STMT", "CONTINUE_STMT", "RETURN_STMT", "GOTO_STMT", "LABEL_STMT", "SWITCH_STMT",
     "WHILE_STMT", "DO_STMT", "CALL_EXPR", "LAMBDA_EXPR", "STMT_EXPR", "INDIRECT_GOTO_STMT"}
)  # fmt: skip


@dataclass(frozen=True)
class Needed:
    """``limit`` has to be a multiple of ``by`` as the nest begins."""

    limit: Node
    by: int


def with_lanes_outside(nest: Node, facts: Facts) -> tuple[Node, tuple[Needed, ...]]:
    """A nest with sums in arrays taken apart, and what has to hold; itself where there are none."""
    if not any(n.kind == "VAR_DECL" and n.type.kind == "array" for n in nest.walk()):
        return nest, ()
    lanes = _Lanes(nest, facts)
    return lanes.of(nest), tuple(lanes.needed)


class _Lanes:
    def __init__(self, nest: Node, facts: Facts) -> None:
        self.nest, self.facts = nest, facts
        self.needed: list[Needed] = []
        self._made: dict[Decl, int] = {}

    def of(self, node: Node) -> Node:
        below = [self.of(child) for child in node.children]
        node = node.with_children(below)
        if node.kind == "COMPOUND_STMT":
            return self._taken_apart(node)
        return self._as_one_loop(node) if node.kind == "FOR_STMT" else node

    def _taken_apart(self, block: Node) -> Node:
        """A block in which the iterations of its loops over an array of sums come first."""
        for place, child in enumerate(block.children):
            array = _array_of(child)
            rest = block.children[place + 1 :]
            if array is None or array in self.facts.escaped or not self._is_plain(block, array):
                continue
            lane = local(f"{array.name}_lane", INT, block.span)
            scalar = local(f"{array.name}_one", array.type.element or array.type, block.span)
            try:
                made = _Lane(array, lane, scalar)
                body = [made.statement(node) for node in rest]
            except NotAffine:
                continue
            if made.count is None:
                continue
            self._made[lane] = made.count
            inside = in_place(block, [declaration(scalar, None, child.span), *body])
            loop = counted_from_zero(lane, made.count, inside, block.span)
            return block.with_children([*block.children[:place], loop])
        return block

    def _is_plain(self, block: Node, array: Decl) -> bool:
        """Whether a block computes and stores to what it does not read, each with one statement."""
        if block.kinds & _REFUSED:
            return False
        if any(n.changed is not None for n in _statements_in(block)):
            return False  # a variable that goes from one iteration to another
        own = {n.decl for n in block.walk() if n.kind == "VAR_DECL"}
        written = [_base(n.children[0]) for n in block.walk() if n.assigns]
        stored = [d for d in written if d not in own]
        read = {n.decl for n in _read_in(block)}
        return None not in stored and len(set(stored)) == len(stored) and not read & set(stored)

    def _as_one_loop(self, node: Node) -> Node:
        """``for (t...; t += 8) ... for (l = 0; l < 8; l++)`` of ``t + l`` alone as a loop of 1."""
        try:
            loop = counted_loop(node)
            step = loop.constant_step
            (bound,) = loop.bounds(step)
        except (NotAffine, ValueError):
            return node
        body = node.children[-1]
        inner = [n for n in body.walk() if n.kind == "FOR_STMT" and _variable(n) in self._made]
        if len(inner) != 1 or step < 2 or bound.relation != "<" or not bound.is_exact:
            return node
        lane = _variable(inner[0])
        if lane is None or self._made[lane] != step or constant_value(loop.first) != 0:
            return node
        if not (loop.declared and self._is_known(bound.limit)):
            return node
        if not (_is_perfect(body, inner[0]) and _only_together(body, loop.variable, lane)):
            return node
        self.needed.append(Needed(bound.limit, step))
        head = node.children[:2]
        increment = replace(
            loop.increment, kind="UNARY_OPERATOR", op="post++",
            children=[reference(loop.variable, loop.increment.span)],
            _kinds=None, _decls=None, _assigned=None,
        )  # fmt: skip
        return node.with_children([*head, increment, _together(body, inner[0], loop, lane)])

    def _is_known(self, limit: Node) -> bool:
        """Whether a limit is made of what is there before the nest and keeps its value."""
        inside = {n.decl for n in self.nest.walk() if n.kind == "VAR_DECL"}
        plain = {"DECL_REF_EXPR", "INTEGER_LITERAL", "BINARY_OPERATOR", *CASTS}
        names = [n.decl for n in limit.walk() if n.decl is not None]
        return limit.kinds <= plain and all(
            d not in inside and self.facts.is_constant(d) for d in names
        )


class _Lane:
    """Statements of a block for one place of an array. Raises NotAffine."""

    def __init__(self, array: Decl, lane: Decl, scalar: Decl) -> None:
        self.array, self.lane, self.scalar = array, lane, scalar
        self.count: int | None = None

    def statement(self, node: Node) -> Node:
        if self.array not in node.decls:
            if node.kind != "DECL_STMT":
                raise NotAffine(node, "more is done beside")
            return node
        if node.kind == "COMPOUND_STMT":
            return node.with_children([self.statement(child) for child in node.children])
        if node.kind != "FOR_STMT":
            raise NotAffine(node, "an element outside of a loop over the array")
        loop = counted_loop(node)
        if self._is_over_lanes(loop):
            return self._one(node.children[-1], loop.variable)
        *head, body = node.children
        if any(self.array in part.decls for part in head):
            raise NotAffine(node, "a loop that depends on sums")
        inside = [self.statement(child) for child in body.statements]
        return node.with_children([*head, in_place(body, inside)])

    def _is_over_lanes(self, loop: CountedLoop) -> bool:
        """Whether a loop counts through the array, of which its body names that place alone."""
        places = list(_subscripts(loop.body, self.array))
        if not all(index.bare.decl is loop.variable for index in places):
            return False
        (bound, *more) = loop.bounds(1)
        count = constant_value(bound.limit)
        plain = loop.declared and loop.constant_step == 1 and constant_value(loop.first) == 0
        if more or count is None or not plain or bound.relation != "<" or not bound.is_exact:
            raise NotAffine(loop.condition, "a loop over a part of the array")
        if loop.variable in loop.body.assigned or self.count not in (None, count):
            raise NotAffine(loop.condition, "loops over different parts of the array")
        self.count = count
        return True

    def _one(self, node: Node, variable: Decl) -> Node:
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and node.children[0].bare.decl is self.array:
            return reference(self.scalar, node.span)
        if node.kind == "DECL_REF_EXPR":
            if node.decl is self.array:
                raise NotAffine(node, "the array as a whole")
            return reference(self.lane, node.span) if node.decl is variable else node
        return node.with_children([self._one(child, variable) for child in node.children])


def _array_of(statement: Node) -> Decl | None:
    """The array of numbers that a statement declares without a value."""
    if statement.kind != "DECL_STMT" or len(statement.children) != 1:
        return None
    variable = statement.children[0]
    decl = variable.decl
    if variable.kind != "VAR_DECL" or decl is None or decl.is_static or initializer(variable):
        return None
    element = decl.type.element
    plain = decl.type.kind == "array" and element is not None and element.kind in ("int", "float")
    return decl if plain else None


def _variable(loop: Node) -> Decl | None:
    try:
        return counted_loop(loop).variable
    except NotAffine:
        return None


def _subscripts(node: Node, array: Decl) -> Iterator[Node]:
    """What stands between brackets behind an array."""
    for below in node.walk():
        if below.kind == "ARRAY_SUBSCRIPT_EXPR" and below.children[0].bare.decl is array:
            yield below.children[1]


def _base(target: Node) -> Decl | None:
    """The variable or array that an assignment changes; None where it has no name."""
    while target.kind in ("ARRAY_SUBSCRIPT_EXPR", *CASTS):
        target = target.children[0]
    return target.decl if target.kind == "DECL_REF_EXPR" else None


def _read_in(block: Node) -> Iterator[Node]:
    """Names that are read, those of what is only assigned left out."""
    targets = {id(n.children[0]) for n in block.walk() if n.assigns}
    stack: Sequence[Node] = [block]
    while stack:
        *rest, node = stack
        below = list(node.children)
        if id(node) in targets and node.kind == "ARRAY_SUBSCRIPT_EXPR":
            while node.kind == "ARRAY_SUBSCRIPT_EXPR":
                node = node.children[0]
            below = [n for n in below if n is not node]
        elif node.kind == "DECL_REF_EXPR" and id(node) not in targets:
            yield node
        stack = [*rest, *below]


def _statements_in(node: Node) -> Iterator[Node]:
    """All below a node but what moves the variables of loops."""
    for place, child in enumerate(node.children):
        if node.kind != "FOR_STMT" or place != 2:
            yield child
            yield from _statements_in(child)


def _is_perfect(node: Node, loop: Node) -> bool:
    """Whether there is nothing around a loop but other loops."""
    if node is loop:
        return True
    if node.kind == "COMPOUND_STMT":
        return len(node.children) == 1 and _is_perfect(node.children[0], loop)
    return node.kind == "FOR_STMT" and _is_perfect(node.children[-1], loop)


def _only_together(body: Node, outer: Decl, lane: Decl) -> bool:
    """Whether two variables are only named as their sum, the inner one's loop aside."""
    if body.kind == "FOR_STMT" and _variable(body) is lane:
        return _only_together(body.children[-1], outer, lane)
    if _is_sum(body, outer, lane):
        return True
    if body.kind == "DECL_REF_EXPR" and body.decl in (outer, lane):
        return False
    return all(_only_together(child, outer, lane) for child in body.children)


def _is_sum(node: Node, outer: Decl, lane: Decl) -> bool:
    if node.kind != "BINARY_OPERATOR" or node.op != "+":
        return False
    return {child.bare.decl for child in node.children} == {outer, lane}


def _together(node: Node, loop: Node, outer: CountedLoop, lane: Decl) -> Node:
    """A body with the outer variable in place of the sum, and the inner loop's body alone."""
    if node is loop:
        return _together(node.children[-1], loop, outer, lane)
    if _is_sum(node, outer.variable, lane):
        return reference(outer.variable, node.span)
    return node.with_children([_together(child, loop, outer, lane) for child in node.children])
