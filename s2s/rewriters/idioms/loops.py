"""Counted loops as text and as syntax: their header, the variables that step, what remains to run.

The transformations of this package keep the text of a loop. They need to know which variables
advance by a constant in each iteration, and how to ask in C whether so many more iterations follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2s.frontends.c.counted_loops import bound_of, comma_parts, initialization, step_of
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import directives, marks, one_line, read_parenthesized
from s2s.source import SourceBuffer, Span
from s2s.source.records import dataclass


class Unsuitable(Exception):
    """A loop that a transformation leaves alone, with the reason."""

    def __init__(self, node: Node, reason: str) -> None:
        super().__init__(reason)
        self.node = node
        self.reason = reason


class Unproved(Unsuitable):
    """A loop of the kind that a transformation is for, but not shown to keep its meaning."""


@dataclass(frozen=True)
class Induction:
    """A variable that advances by the same amount in each iteration.

    ``step`` is None where the amount is the value of ``amount``, a variable. ``node`` is the
    statement of the body that advances it, None where the loop's header does.
    """

    decl: Decl
    step: int | None
    amount: str
    node: Node | None

    def advanced(self, count: str) -> str:
        """The C text to add for a number of iterations, with its sign."""
        if self.step in (1, -1):
            return f" {'+' if self.step > 0 else '-'} {count}"
        if self.step is not None:
            return f" {'+' if self.step > 0 else '-'} {count} * {abs(self.step)}"
        return f" + {count}"  # asked for where the amount is known to be 1


@dataclass(frozen=True)
class Header:
    """The texts between the parentheses of a loop, and their syntax (None where empty)."""

    init: str
    condition: str
    increment: str
    init_node: Node | None
    condition_node: Node
    increment_node: Node | None


@dataclass(frozen=True)
class CountedLoop:
    """A ``for`` or ``while`` loop that a local integer counts.

    ``relation`` holds between the counter and ``bound`` (C text) while the loop runs.
    """

    node: Node
    header: Header
    counter: Induction
    inductions: tuple[Induction, ...]
    relation: str
    bound: str
    bound_node: Node

    @property
    def body(self) -> Node:
        return self.node.children[-1]

    @property
    def step(self) -> int:
        assert self.counter.step is not None
        return self.counter.step

    def distance(self) -> str:
        """C text: from the counter to the bound, where the condition holds."""
        name, bound = f"(unsigned long){self.counter.decl.name}", f"(unsigned long)({self.bound})"
        return f"{bound} - {name}" if self.step > 0 else f"{name} - {bound}"

    def more(self, count: int) -> str:
        """C text: whether, where the condition holds, it holds for ``count`` iterations in all."""
        distance = (count - 1) * abs(self.step)
        return f"{self.distance()} {'>=' if '=' in self.relation else '>'} {distance}"

    def advance(self, count: int) -> str:
        """C statements that advance all variables over so many iterations."""
        return " ".join(
            f"{i.decl.name} {'-=' if i.step is not None and i.step < 0 else '+='} "
            f"{count * abs(1 if i.step is None else i.step)};"
            for i in self.inductions
        )


def statement_span(function: Function, node: Node) -> Span:
    """A statement's text with its semicolon. Raises NotLiftable where that is not clear."""
    return Span(node.span.start, function.attempt([node]).lifter.end(node))


def counted_loop(function: Function, node: Node) -> CountedLoop:
    """Read a loop. Raises Unsuitable."""
    buffer = function.unit.buffer
    if node.in_macro or any(True for _ in directives(buffer.data[node.span.start : node.span.end])):
        raise Unsuitable(node, "a macro or the preprocessor makes part of the loop")
    header = _header(buffer, node)
    found = tuple(_inductions(function, node, header))
    counter, relation, bound_node = _comparison(node, header.condition_node, found)
    return CountedLoop(
        node, header, counter, found, relation, _bound(header.condition, counter.decl.name, node),
        bound_node,
    )  # fmt: skip


def _header(buffer: SourceBuffer, node: Node) -> Header:
    inside = read_parenthesized(buffer.data, node.span.start)
    if inside is None or node.kind not in ("FOR_STMT", "WHILE_STMT"):
        raise Unsuitable(node, "the loop is not counted")
    if node.kind == "WHILE_STMT":
        return Header("", one_line(buffer.text(inside)), "", None, node.children[0], None)
    places = [at for at, mark in marks(buffer.data, inside) if mark == b";"]
    if len(places) != 2:
        raise Unsuitable(node, "the loop's header is not understood")
    spans = (
        Span(inside.start, places[0]),
        Span(places[0] + 1, places[1]),
        Span(places[1] + 1, inside.end),
    )
    texts = [one_line(buffer.text(s)) for s in spans]
    parts = iter(node.children[:-1])
    nodes = [next(parts, None) if t else None for t in texts]
    if nodes[1] is None or next(parts, None) is not None:
        raise Unsuitable(node, "the loop has no condition")
    return Header(texts[0], texts[1], texts[2], nodes[0], nodes[1], nodes[2])


def _inductions(function: Function, loop: Node, header: Header) -> Iterator[Induction]:
    """Variables that the header, or one statement of the body, advances in each iteration."""
    body = loop.children[-1]
    assigned = assigned_in([body, *([header.increment_node] if header.increment_node else [])])
    for node in comma_parts(header.increment_node) if header.increment_node else ():
        found = induction(function, node, None, assigned)
        if found is None:
            raise Unsuitable(node, "the loop does more than count in its header")
        yield found
    for statement in body.statements:
        inner = unlabelled(statement)
        found = induction(function, inner, inner, assigned)
        if found is not None:
            yield found


def unlabelled(statement: Node) -> Node:
    """A statement without the labels before it."""
    while statement.kind == "LABEL_STMT" and statement.children:
        statement = statement.children[-1]
    return statement


def induction(
    function: Function, node: Node, place: Node | None, assigned: dict[Decl, int]
) -> Induction | None:
    """The variable that a statement advances, if nothing else in the loop assigns it."""
    if not node.children or node.children[0].kind != "DECL_REF_EXPR":
        return None
    decl = node.children[0].decl
    if decl is None or not _counts(function, decl) or assigned.get(decl) != 1:
        return None
    step = step_of(node, decl)
    if step is not None and step.constant is not None:
        return Induction(decl, step.constant, "", place)
    if step is None or step.amount is None or step.sign < 0:
        return None
    amount = step.amount.uncast
    if amount.kind != "DECL_REF_EXPR" or amount.decl is None:
        return None
    settled = amount.decl.is_local and amount.decl not in assigned
    if not settled or amount.decl in function.facts.escaped or amount.type.kind != "int":
        return None
    return Induction(decl, None, amount.name, place)


def _counts(function: Function, decl: Decl) -> bool:
    """Whether a variable is a local integer that nothing but assignments can change."""
    type_ = decl.type
    plain = type_.kind == "int" and type_.size >= 4 and not type_.volatile
    local = decl.is_local and not decl.is_static and not decl.thread_local
    return plain and local and decl not in function.facts.escaped


def _comparison(
    loop: Node, condition: Node, found: tuple[Induction, ...]
) -> tuple[Induction, str, Node]:
    """The counter, how it is compared, and with what. Raises Unsuitable."""
    bounds = [(i, b) for i in found for b in [bound_of(condition, i.decl)] if b is not None]
    bounds.sort(key=lambda pair: pair[1].side is not condition.children[0])  # the left side first
    for counter, bound in bounds:
        if bound.relation == "!=" or not bound.is_exact:
            continue
        if counter.step is not None and bound.is_reached_by(counter.step, counter.decl):
            _check_types(loop, counter.decl, bound.side, bound.limit)
            return counter, bound.relation, bound.limit
    raise Unsuitable(loop, "the loop's condition does not compare its counter")


def _check_types(loop: Node, counter: Decl, side: Node, other: Node) -> None:
    """Whether differences of counter and bound as unsigned longs are what C compares."""
    if side.type.kind != "int" or other.type.kind != "int":
        raise Unsuitable(loop, "the loop is not counted by integers")
    if not counter.type.signed and counter.type.size < 8:
        raise Unsuitable(loop, f"the unsigned counter '{counter.name}' may wrap")
    if side.type.size < 8 and not side.type.signed:
        raise Unsuitable(loop, f"'{counter.name}' is compared with an unsigned bound")


def _bound(condition: str, counter: str, loop: Node) -> str:
    """The text that the counter is compared with."""
    plain = one_line(condition)
    name = re.escape(counter)
    match = re.fullmatch(rf"{name}\s*[<>]=?\s*(?P<after>.+)", plain, re.DOTALL) or re.fullmatch(
        rf"(?P<before>.+?)\s*[<>]=?\s*{name}", plain, re.DOTALL
    )
    if match is None:
        raise Unsuitable(loop, "the text of the loop's condition is not understood")
    return next(text for text in match.groups() if text is not None)


def known_range(loop: CountedLoop) -> tuple[int | None, int | None]:
    """The least and the greatest value of the counter in any iteration, where they are known."""
    start, bound = _start(loop), constant_value(loop.bound_node)
    strict = 0 if "=" in loop.relation else 1
    end = None if bound is None else bound - strict if loop.step > 0 else bound + strict
    return (start, end) if loop.step > 0 else (end, start)


def known_length(loop: CountedLoop) -> int | None:
    """How many iterations the loop has, where that is known."""
    first, last = known_range(loop)
    return None if first is None or last is None else (last - first) // abs(loop.step) + 1


def _start(loop: CountedLoop) -> int | None:
    node = loop.header.init_node
    if node is None:
        return None
    try:
        variable, _, first = initialization(node)
    except NotAffine:
        return None
    return constant_value(first) if variable is loop.counter.decl else None
