"""Which loops of a schedule run in parallel: doall, doacross, simd."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from s2s.scop.nodes import Scop
from s2s.scop.schedule import Dimension, Parallelism, Role
from s2s.transforms.errors import NotApplicable


def doall(scop: Scop, position: int) -> Scop:
    """Mark one dimension as a parallel loop; legality is proved elsewhere."""
    return _mark(scop, [position], Parallelism.DOALL)


def doacross(scop: Scop, depth: int = 2, *, first: int = 0) -> Scop:
    """Mark ``depth`` tile dimensions from place ``first`` on as a pipelined nest.

    An iteration waits for its predecessor along each of them (``ordered(depth)`` with
    ``depend(sink)``), which covers all dependences that go forward along all of them.
    """
    schedule = scop.target
    if schedule is None or schedule.count(Role.TILE) < first + depth:
        raise NotApplicable(scop.span, f"fewer than {depth} tile loops to pipeline")
    return _mark(scop, list(range(first, first + depth)), Parallelism.DOACROSS)


def wavefront(scop: Scop) -> Scop:
    """Run the tiles of a permutable band by anti-diagonals, those of one diagonal in parallel.

    ::

        for a: for b: tile(a, b)      for w: parallel for a: tile(a, w - a)

    An alternative to ``doacross`` for two tile dimensions: a barrier for each diagonal instead of a
    wait for each tile, and no need for a rectangle of tiles.
    """
    schedule = scop.target
    if schedule is None or schedule.count(Role.TILE) != 2:
        raise NotApplicable(scop.span, "a wavefront needs two tile loops")
    count = len(schedule.dimensions)
    inputs = ", ".join(f"d{i}" for i in range(count))
    rest = ", ".join(f"d{i}" for i in range(2, count))
    skew = isl.Map(f"{{ [{inputs}] -> [d0 + d1, d0, {rest}] }}")
    first, _, *inner = schedule.dimensions
    outer = (
        Dimension(f"{first.name.removesuffix('_tile')}_wave", Role.TILE),
        replace(first, parallelism=Parallelism.DOALL, band=None),
    )
    maps = {name: item.apply_range(skew) for name, item in schedule.maps.items()}
    return replace(scop, target=replace(schedule, maps=maps, dimensions=(*outer, *inner)))


def simd(scop: Scop, position: int) -> Scop:
    """Mark one dimension as a vector loop; legality is proved elsewhere."""
    return _mark(scop, [position], Parallelism.SIMD)


def _mark(scop: Scop, positions: list[int], parallelism: Parallelism) -> Scop:
    schedule = scop.target
    if schedule is None:
        raise NotApplicable(scop.span, "the region has no schedule")
    for position in positions:
        dimension = replace(schedule.dimensions[position], parallelism=parallelism)
        schedule = schedule.with_dimension(position, dimension)
    return replace(scop, target=schedule)
