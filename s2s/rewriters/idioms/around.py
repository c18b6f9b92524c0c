"""What the conditions around a loop say of its length."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.integer_constants import constant_value
from s2s.frontends.c.syntax import Node
from s2s.rewriters.idioms.loops import CountedLoop, known_range

_AT_MOST = {"<": (0, 1), "<=": (0, 0), ">": (1, 1), ">=": (1, 0)}


def most_iterations(function: Node, node: Node, loop: CountedLoop) -> int | None:
    """How many iterations a loop has at most where ``if (n <= 16)`` stands around it."""
    first, _ = known_range(loop)
    bound = loop.bound_node.bare
    if loop.step <= 0 or first is None or bound.decl is None:
        return None
    ends = [
        limit - strict
        for condition in _conditions(function, node)
        for limit, strict, side in _limits(condition)
        if side.decl is bound.decl
    ]
    return (min(ends) - first) // loop.step + 1 if ends else None


def _conditions(node: Node, wanted: Node) -> Iterator[Node]:
    """The conditions under which a node is reached, by branches around it alone."""
    inside = [c for c in node.children if wanted.span in c.span]
    if node.kind == "IF_STMT" and len(node.children) > 1 and wanted.span in node.children[1].span:
        yield node.children[0]
    for child in inside[:1]:
        yield from _conditions(child, wanted)


def _limits(condition: Node) -> Iterator[tuple[int, int, Node]]:
    """What is at most a constant if the condition holds: the constant, less one, of what."""
    condition = condition.bare
    if condition.op == "&&":
        for side in condition.children:
            yield from _limits(side)
    elif condition.op in _AT_MOST and len(condition.children) == 2:
        small, strict = _AT_MOST[condition.op]
        limit = constant_value(condition.children[1 - small])
        if limit is not None:
            yield limit, strict, condition.children[small].bare
