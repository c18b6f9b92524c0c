"""Which loops of a schedule run in parallel: doall, doacross, tasks, wavefronts, simd."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from s2s.analyses.synchronization import Form
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


def tasks(scop: Scop, *, first: int = 0) -> Scop:
    """Make a task of each tile of two dimensions from place ``first`` on.

    A task depends on its predecessor along each of them, as an iteration of ``doacross`` does.
    """
    schedule = scop.target
    if schedule is None or schedule.count(Role.TILE) < first + 2:
        raise NotApplicable(scop.span, "fewer than 2 tile loops for tasks")
    return _mark(scop, [first, first + 1], Parallelism.TASKS)


def wait_for_tiles(scop: Scop, form: Form, *, first: int = 0) -> Scop:
    """Run tiles in parallel by one of the three forms; see ``analyses/synchronization.py``."""
    if form == "doacross":
        return doacross(scop, first=first)
    return tasks(scop, first=first) if form == "tasks" else wavefront(scop, first=first)


def wavefront(scop: Scop, *, first: int = 0) -> Scop:
    """Run the tiles of a permutable band by anti-diagonals, those of one diagonal in parallel.

    ::

        for a: for b: tile(a, b)      for w: parallel for a: tile(a, w - a)

    An alternative to ``doacross`` for two tile dimensions, from place ``first`` on: a barrier for
    each diagonal instead of a wait for each tile, and no need for a rectangle of tiles.
    """
    schedule = scop.target
    if schedule is None or schedule.count(Role.TILE) < first + 2:
        raise NotApplicable(scop.span, "a wavefront needs two tile loops")
    names = [f"d{i}" for i in range(len(schedule.dimensions))]
    one, other = names[first : first + 2]
    turned = [*names[:first], f"{one} + {other}", one, *names[first + 2 :]]
    skew = isl.Map(f"{{ [{', '.join(names)}] -> [{', '.join(turned)}] }}")
    before, (rows, _, *inner) = schedule.dimensions[:first], schedule.dimensions[first:]
    waves = (
        Dimension(f"{rows.name.removesuffix('_tile')}_wave", Role.TILE),
        replace(rows, parallelism=Parallelism.DOALL, band=None),
    )
    maps = {name: item.apply_range(skew) for name, item in schedule.maps.items()}
    return replace(scop, target=replace(schedule, maps=maps, dimensions=(*before, *waves, *inner)))


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
