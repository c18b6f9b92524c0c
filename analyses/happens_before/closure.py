"""Transitive closures of relations between events."""

from __future__ import annotations

import islpy as isl

_STEPS = 4


def close_transitively(direct: isl.UnionMap) -> tuple[isl.UnionMap, bool]:
    """The transitive closure, and whether it is exact (it is a superset otherwise).

    Most depend clauses reach their closure in a few steps; isl's own algorithm, which is for
    those that never do, takes minutes to find that out.
    """
    reached = direct
    for _ in range(_STEPS):
        twice = reached.apply_range(reached)
        if twice.is_subset(reached):
            return reached, True
        reached = reached.union(twice).coalesce()
    closure, exact = direct.transitive_closure()
    return closure, bool(exact)
