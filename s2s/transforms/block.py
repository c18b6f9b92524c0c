"""Blocking of one loop, so that what its iterations touch stays in the cache.

::

    for i: for k: for j: C[i][j] += A[i][k] * B[k][j]
    ->
    for kk: for i: for k in block kk: for j: C[i][j] += A[i][k] * B[k][j]

Strip-mining and interchange, as in Wolf and Lam, "A data locality optimizing algorithm", 1991.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from s2s.analyses.locality import coefficient
from s2s.scop.nodes import Scop, Statement
from s2s.scop.schedule import Dimension, Role, Schedule

_SUFFIX = "_block"
# Half of a second-level cache of usual size; and rows of which there is no bound.
_CACHE_BYTES = 256 * 1024
_MANY = 1 << 20


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


def outgrows_cache(scop: Scop, statement: Statement, order: Sequence[int]) -> bool:
    """Whether each iteration of a nest's outermost loop may touch more again than a cache keeps.

    ``order`` are the statement's iterators outside in. Asked of arrays with rows of a known size;
    of others nothing is known, and blocks cost a little where they are not needed.
    """
    domain = statement.domain.intersect_params(scop.context.intersect(scop.assumptions))
    first, *inner = order
    for access in statement.accesses:
        rows = range(access.relation.dim(isl.dim_type.out))
        again = not any(coefficient(access, row, first) for row in rows)
        if again and all(any(coefficient(access, r, i) for r in rows) for i in inner):
            array = scop.arrays[access.array]
            sizes = array.sizes[len(array.sizes) - array.rank + 1 :]
            touched = access.relation.intersect_domain(domain).range()
            known_rows = all(size is not None and size.isdigit() for size in sizes)
            if known_rows and _elements(touched) * array.element_size > _CACHE_BYTES:
                return True
    return False


def _elements(touched: isl.Set) -> int:
    """The most elements that a set may have, whose rows are bounded."""
    count = 1
    for position in range(touched.dim(isl.dim_type.set)):
        last, first = touched.dim_max_val(position), touched.dim_min_val(position)
        known = last.is_int() and first.is_int()
        count *= last.to_python() - first.to_python() + 1 if known else _MANY
    return count


def is_blocked(schedule: Schedule) -> bool:
    """Whether the outermost loop of a schedule, unrolled since or not, runs over blocks."""
    return schedule.dimensions[0].name.removesuffix("_o").endswith(_SUFFIX)
