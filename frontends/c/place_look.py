"""A look at the syntax of innermost loops: have they more places than a compiler compares."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from s2s.frontends.c.place_words import LIMIT
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.vector_look import (
    innermost_loops,
    references,
    root_of,
    runs_straight,
    spelled,
)


def touches_many(attempt: Attempt) -> bool:
    """Whether a region is a loop, and an innermost loop of it has so many places."""
    return attempt.statements[0].kind == "FOR_STMT" and has_loops_that_touch_many(attempt)


def has_loops_that_touch_many(attempt: Attempt) -> bool:
    """Whether an innermost loop of a region has so many places."""
    loops = (loop for s in attempt.statements for loop in innermost_loops(s))
    return any(_may_meet(attempt, loop) > LIMIT for loop in loops)


def _may_meet(attempt: Attempt, loop: Node) -> int:
    """The pairs of places of a loop that a compiler may take for the same memory."""
    nodes = list(loop.children[-1].walk())
    if not runs_straight(nodes):
        return 0
    written = {id(n.children[0]) for n in nodes if n.assigns}
    found: dict[str, tuple[Decl | None, bool]] = {}
    for reference in references(loop.children[-1]):
        key = spelled(reference)
        stored = id(reference) in written or (key in found and found[key][1])
        found[key] = (root_of(reference), stored)
    counts = Counter(found.values())
    total = 0
    for (_, stored), count in counts.items():
        total += count * (count - 1) // 2 if stored else 0  # one variable's places are unclear
    for (one, many), (other, more) in combinations(counts.items(), 2):
        if (one[1] or other[1]) and _is_unclear(attempt, one[0], other[0]):
            total += many * more
    return total


def _is_unclear(attempt: Attempt, one: Decl | None, other: Decl | None) -> bool:
    """Whether two variables may lead to the same memory, as far as compilers see."""
    if one is None or other is None or one is other:
        return True
    kinds = {one.type.kind, other.type.kind}
    if "pointer" not in kinds:
        return False
    return attempt.is_outlined or not (one.type.restrict or other.type.restrict)
