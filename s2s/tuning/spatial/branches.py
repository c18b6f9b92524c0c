"""Where the search begins: how many units share each dimension, with what is the least for them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from s2s.tuning.spatial.bound import grids, moving
from s2s.tuning.spatial.candidate import Problem
from s2s.tuning.spatial.fixed import Fixed

Branch = tuple[int, tuple[int, ...]]
"""A lower bound of cycles, and units along each dimension."""

_BRANCHES = 128
_GRIDS = 4000
_PAIRS = 12


def branches(problem: Problem, divide: bool, fixed: Fixed, model: str) -> list[Branch]:
    """Numbers of units by their bounds; of those that the network bounds alike, some.

    For MAESTRO's models, which count more than the busiest unit's work at each level, there are
    some of each kind: few dimensions in parallel, sums over units, none.
    """
    slow = moving(problem)
    found = [(max(bound, slow), units) for bound, units in grids(problem, _GRIDS, divide, fixed)]
    if not found or model == "exact":
        return _some(found, _BRANCHES)
    output = problem.layer.computation.output.dims
    added = [d for d, dim in enumerate(problem.dims) if dim not in output]
    alone = [one for one in found if all(one[1][d] == 1 for d in added)]
    others = [one for one in found if any(one[1][d] > 1 for d in added)]
    part = _BRANCHES // 3
    kept = [*_few(problem, divide, fixed, slow), *_some(alone, part), *_some(others, part)]
    return list(dict.fromkeys(kept))


def _few(problem: Problem, divide: bool, fixed: Fixed, slow: int) -> list[Branch]:
    """Branches with at most two dimensions in parallel: MAESTRO fills each level anew."""
    names = [dim for dim, size in problem.layer.loops.items() if size > 1 and fixed.allows(dim, 2)]
    found: set[Branch] = set()
    for pair in combinations(names, min(2, len(names))):
        only = replace(fixed, parallel=frozenset(pair))
        found |= set(grids(problem, _PAIRS, divide, only))
    best = sorted((max(bound, slow), units) for bound, units in found)
    return best[: _BRANCHES // 3]


def _some(found: list[Branch], count: int) -> list[Branch]:
    """The first ones; of those that are as good as the very first some of all kinds."""
    alike = [one for one in found if one[0] == found[0][0]]
    some = [alike[i * len(alike) // count] for i in range(min(len(alike), count))]
    return (some + found[len(alike) :])[:count]
