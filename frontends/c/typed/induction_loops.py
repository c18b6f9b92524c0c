"""Variables that move in the loops of a nest, and the loops' headers, in which they may, too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.frontends.c.counted_loops import comma_parts, counted_loop, initialization
from s2s.frontends.c.facts import Facts
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.typed.sums import added, negated, number
from s2s.source.records import dataclass


def candidates(nest: Node, facts: Facts) -> Iterator[Decl]:
    """Local pointers and integers that the nest sets, but for the variables of its loops."""
    counted = {bounded_variable(loop) for loop in nest.walk() if loop.kind == "FOR_STMT"}
    declared = {n.decl for n in nest.walk() if n.kind == "VAR_DECL"}
    for decl in nest.assigned:
        type_ = decl.type
        plain = type_.kind == "pointer" or (type_.kind == "int" and type_.signed and type_.size > 3)
        own = decl.is_local and not (decl.is_static or decl.thread_local or type_.reference)
        if not (plain and own) or type_.volatile or decl in facts.escaped or decl in counted:
            continue
        if decl not in declared or type_.kind == "pointer" or facts.assigned.get(decl):
            yield decl


def bounded_variable(loop: Node) -> Decl | None:
    """The variable that a loop's condition bounds."""
    if len(loop.children) != 4:
        return None
    _, condition, step, _ = loop.children
    moved = {part.changed for part in comma_parts(step)}
    named = [n.decl for n in condition.walk() if n.kind == "DECL_REF_EXPR" and n.decl in moved]
    return named[0] if named else None


@dataclass(frozen=True)
class InductionLoop:
    """A loop by its parts: ``others`` are set before it, ``moved`` steps follow each iteration."""

    node: Node
    variable: Decl
    first: Node
    limit: Node
    step: int
    count: Node
    others: tuple[Node, ...]
    moved: tuple[Node, ...]


def read_loop(node: Node) -> InductionLoop:
    """A counted loop, other variables in its header aside. Raises NotAffine."""
    if len(node.children) != 4:
        raise NotAffine(node, "loop header is incomplete")
    init, condition, step, body = node.children
    variable = bounded_variable(node)
    others = [part for part in _parts(init) if _sets(part) is not variable]
    first = [part for part in _parts(init) if _sets(part) is variable]
    moved = [part for part in comma_parts(step) if part.changed is not variable]
    steps = [part for part in comma_parts(step) if part.changed is variable]
    if variable is None or len(first) != 1 or len(steps) != 1:
        raise NotAffine(node, "loop does not start by setting one variable")
    plain = node.with_children([first[0], condition, steps[0], body])
    counted = counted_loop(plain)
    by = counted.constant_step
    (bound, *more) = counted.bounds(by)
    if more or not bound.is_exact or variable in body.assigned:
        raise NotAffine(node, "the loop has several ends")
    start = initialization(first[0])[2]
    return InductionLoop(plain, variable, start, bound.limit, by,
                 _count(plain, start, bound.limit, bound.relation, by),
                 tuple(others), tuple(moved))  # fmt: skip


def _parts(init: Node) -> Iterator[Node]:
    """The declarations and assignments of a loop's header, one by one."""
    if init.kind == "DECL_STMT":
        yield from (replace(init.with_children([v]), span=v.span) for v in init.children)
    else:
        yield from comma_parts(init)


def _sets(part: Node) -> Decl | None:
    return part.children[0].decl if part.kind == "DECL_STMT" else part.changed


def _count(node: Node, first: Node, limit: Node, relation: str, step: int) -> Node:
    """How often a loop runs that runs at all. Raises NotAffine."""
    more = 1 if relation in ("<=", ">=") else 0
    span = added(limit, negated(first)) if step > 0 else added(first, negated(limit))
    if abs(step) == 1:
        return added(span, number(more, node.span))
    low, high = constant_value(first), constant_value(limit)
    if low is None or high is None:
        raise NotAffine(node, "the number of iterations is a quotient")
    length = (high - low if step > 0 else low - high) + more
    return number(max(0, -(-length // abs(step))), node.span)
