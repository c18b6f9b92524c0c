"""Blocking of one loop, so that what its iterations touch stays in the cache.

::

    for i: for k: for j: C[i][j] += A[i][k] * B[k][j]
    ->
    for kk: for i: for k in block kk: for j: C[i][j] += A[i][k] * B[k][j]

Strip-mining and interchange, as in Wolf and Lam, "A data locality optimizing algorithm", 1991.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from s2s.scop.nodes import Scop
from s2s.scop.schedule import Dimension, Role, Schedule

_SUFFIX = "_block"


def block(scop: Scop, place: int, size: int, statements: frozenset[str]) -> Scop:
    """Put a loop over blocks of ``size`` of a dimension around all loops of the target schedule.

    Only ``statements`` have that dimension; the others run with the first block. Whether that is
    legal is for the caller to ask.
    """
    schedule = scop.target
    assert schedule is not None
    inputs = ", ".join(f"d{i}" for i in range(len(schedule.dimensions)))
    maps = {}
    for name, times in schedule.maps.items():
        entry = f"floor(d{place}/{size})" if name in statements else "0"
        maps[name] = times.apply_range(isl.Map(f"{{ [{inputs}] -> [{entry}, {inputs}] }}"))
    outer = Dimension(f"{schedule.dimensions[place].name}{_SUFFIX}", Role.BAND)
    return replace(scop, target=Schedule(maps, (outer, *schedule.dimensions)))


def is_blocked(schedule: Schedule) -> bool:
    """Whether the outermost loop of a schedule, unrolled since or not, runs over blocks."""
    return schedule.dimensions[0].name.removesuffix("_o").endswith(_SUFFIX)
