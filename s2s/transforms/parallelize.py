"""Which loops of a schedule run in parallel: doall, doacross, simd."""

from __future__ import annotations

from dataclasses import replace

from s2s.scop.nodes import Scop
from s2s.scop.schedule import Parallelism, Role
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
