"""Minimum weighted set cover as an integer program: section 4.5.3 of the PolySIMD chapter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, Protocol, TypeVar


class _Comparable(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...
    def __hash__(self) -> int: ...


Item = TypeVar("Item", bound=_Comparable)
Constraint = frozenset[Item]
"""At least one of these has to be chosen."""
_SECONDS = 5
"""After which the solver's best cover is taken."""


def minimum_cover(
    constraints: Collection[Constraint[Item]], weights: Mapping[Item, int]
) -> tuple[Item, ...]:
    """Items of the least total weight (weights are positive) that meet all constraints.

    Of covers with the same weight any may come out, but always the same one. What is left when
    dominated constraints and items are gone goes to an ILP solver.
    Raises ValueError where a constraint is empty.
    """
    if not all(constraints):
        raise ValueError("nothing meets an empty constraint")
    left = _reduced(constraints, weights)
    if all(len(c) == 1 for c in left):
        return tuple(sorted(item for c in left for item in c))
    return _integer_program(left, weights)


def _reduced(
    constraints: Collection[Constraint[Item]], weights: Mapping[Item, int]
) -> list[Constraint[Item]]:
    """The constraints without what others imply and without items that are never better."""
    left = set(constraints)
    while True:
        left = {c for c in left if not any(other < c for other in left)}
        kept: list[Item] = []
        for item in sorted({i for c in left for i in c}, key=lambda i: (weights[i], i)):
            mine = {c for c in left if item in c}
            if not any(mine <= {c for c in left if better in c} for better in kept):
                kept.append(item)
        narrowed = {c & frozenset(kept) for c in left}
        if narrowed == left:
            return sorted(left, key=sorted)
        left = narrowed


def _integer_program(
    constraints: list[Constraint[Item]], weights: Mapping[Item, int]
) -> tuple[Item, ...]:
    import pulp  # 0.3 s

    items = sorted({item for c in constraints for item in c})
    chosen = {item: pulp.LpVariable(f"t{i}", cat=pulp.LpBinary) for i, item in enumerate(items)}
    program = pulp.LpProblem("cover", pulp.LpMinimize)
    program += pulp.lpSum(weights[item] * chosen[item] for item in items)
    for constraint in constraints:
        program += pulp.lpSum(chosen[item] for item in sorted(constraint)) >= 1
    found = {item for item in items if (chosen[item].value() or 0) > 0.5} if _solve(program) else ()
    if not all(c.intersection(found) for c in constraints):
        return _greedy(constraints, weights)
    return tuple(item for item in items if item in found)


def _solve(program: Any) -> bool:
    """Give a program of pulp's to the first solver that is installed; False where none is.

    CBC comes with pulp, but not for every machine; HiGHS is a package of its own.
    """
    import pulp

    for name in ("PULP_CBC_CMD", "HiGHS"):
        with suppress(AttributeError, pulp.PulpSolverError):
            solver = getattr(pulp, name)(msg=False, threads=1, timeLimit=_SECONDS)
            if solver.available():
                program.solve(solver)
                return True
    return False


def _greedy(
    constraints: Collection[Constraint[Item]], weights: Mapping[Item, int]
) -> tuple[Item, ...]:
    """A cover that need not be the cheapest one: the item that does most for its weight first."""
    left, chosen = set(constraints), []
    while left:
        counts = Counter(item for c in left for item in c)
        best = min(counts, key=lambda i: (weights[i] / counts[i], i))
        chosen.append(best)
        left = {c for c in left if best not in c}
    return tuple(sorted(chosen))
