"""What it costs that tiles of a band wait for each other: pipelined, by diagonals or as tasks.

Cycles until the last tile of a grid is done, for each form of the same order. A tile needs its
predecessors along both dimensions. ``shift`` columns lie between the first tiles of two consecutive
rows, where the band is skewed: a pipelined nest counts over the box around all rows.
Section "Waiting for tiles" of docs/cost-model.md says where the constants come from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Literal

import islpy as isl

from s2s.analyses.extents import constant, iteration_count
from s2s.scop.nodes import Scop
from s2s.source.records import dataclass

Form = Literal["doacross", "wavefront", "tasks"]

THREADS = 8
EXTENT = 1024
"""Least iterations of a loop whose bounds the source does not tell; a tile for each thread."""
ACCESS = 1.0
"""Cycles for an access to memory and the arithmetic that comes with it."""
WAIT = 100.0
"""Cycles to see that a predecessor is done, for each of them, and to say that a tile is."""
BARRIER = 3000.0
BARRIER_THREAD = 500.0
"""Cycles to start and to end a parallel loop, and more of them for each thread."""
SLOWEST = 1.15
"""How much longer than the mean the slowest thread of a diagonal takes."""
CREATE = 1100.0
DEPENDENCE = 300.0
"""Cycles to create a task, and for each address that orders it."""
PREDECESSORS = 2
GAIN = 1.25
"""How many times cheaper than a pipeline another form has to be."""


@dataclass(frozen=True)
class Grid:
    """``rows`` of ``columns`` tiles each; ``work``: cycles of one tile."""

    rows: int
    columns: int
    work: float
    shift: int = 0

    @property
    def box(self) -> int:
        """Columns of the rectangle around all rows."""
        return self.columns + self.shift * (self.rows - 1)


def doacross_cycles(grid: Grid, threads: int) -> float:
    """Rows go to threads in turn; each tile, empty ones too, waits for its predecessors.

    A thread begins when the row before its first one is far enough, and no chain of tiles is
    shorter than the way from the first one to the last.
    """
    tile = grid.work + (PREDECESSORS + 1) * WAIT
    rounds = -(-grid.rows // threads)
    empty = rounds * (grid.box - grid.columns) * (PREDECESSORS + 1) * WAIT
    fill = (min(threads, grid.rows) - 1) * (grid.shift + 1)
    return empty + tile * max(rounds * grid.columns + fill, _chain(grid))


def wavefront_cycles(grid: Grid, threads: int) -> float:
    """A parallel loop for each diagonal; threads without a tile wait for its end."""
    between = BARRIER + BARRIER_THREAD * threads
    shares = sum(-(-n // threads) for n in _diagonals(grid))
    return len(_diagonals(grid)) * between + shares * grid.work * SLOWEST


def tasks_cycles(grid: Grid, threads: int) -> float:
    """One thread creates a task for each tile of the box, all threads take those that are ready."""
    create = CREATE + DEPENDENCE * (PREDECESSORS + 1)
    created = grid.rows * grid.box * create
    spread = (created + grid.rows * grid.columns * grid.work) / threads
    fill = (min(threads, grid.rows) - 1) * (grid.shift + 1) * grid.work / 2
    return max(created, spread + fill, _chain(grid) * grid.work)


def cycles(grids: Mapping[Form, Grid], threads: int = THREADS) -> dict[Form, float]:
    """Cycles of each form, each for the grid that it would have."""
    models = {"doacross": doacross_cycles, "wavefront": wavefront_cycles, "tasks": tasks_cycles}
    return {form: models[form](grid, threads) for form, grid in grids.items()}


def cheapest(grids: Mapping[Form, Grid], threads: int = THREADS) -> Form:
    """A pipeline, if no other form is clearly cheaper."""
    costs = cycles(grids, threads)
    best = min(costs, key=lambda form: costs[form])
    return best if costs["doacross"] > GAIN * costs[best] else "doacross"


def grids(
    scop: Scop, sizes: Sequence[int], *, chunk: int = 0, elastic: bool = False
) -> dict[Form, Grid]:
    """The grids of tiles of a schedule whose leading band is not tiled yet.

    ``chunk`` tiles along the first dimension lie between two barriers; with ``elastic``, forms that
    wait for single tiles make rows so short that each thread has one.
    """
    extents = _band_extents(scop, sizes)
    work = _point_cycles(scop, len(sizes)) * prod(sizes[1:])
    others = prod(-(-EXTENT // size) for size in sizes[2:])

    def grid(height: int) -> Grid:
        rows = -(-extents.first // height)
        columns = -(-extents.second // sizes[1])
        shift = -(-extents.skew * height // sizes[1])
        rows = min(rows, chunk) if chunk else rows
        return Grid(max(1, rows), max(1, columns), work * others * height, shift)

    whole = grid(sizes[0])
    short = grid(min(sizes[0], -(-extents.first // THREADS))) if elastic else whole
    return {"doacross": short, "wavefront": whole, "tasks": short}


def _chain(grid: Grid) -> int:
    """Tiles with work on a way from the first to the last one, each waiting for the one before.

    Where rows are shorter than their shift, the ways lead through empty ones, too.
    """
    step = min(grid.shift + 1, grid.columns)
    return (grid.rows - 1) * step + grid.columns


def _diagonals(grid: Grid) -> list[int]:
    """How many tiles each diagonal has. Row r reaches from diagonal ``(shift + 1) r`` on."""
    step = grid.shift + 1
    return [
        min(grid.rows - 1, d // step) - max(0, -(-(d - grid.columns + 1) // step)) + 1
        for d in range((grid.rows - 1) * step + grid.columns)
    ]


@dataclass(frozen=True)
class _Extents:
    """Points along the first dimension, along the second for each of them, and how they move."""

    first: int
    second: int
    skew: int


def _band_extents(scop: Scop, sizes: Sequence[int]) -> _Extents:
    assert scop.target is not None
    times: isl.Set | None = None
    for statement in scop.statements:
        image = scop.target.maps[statement.name].intersect_domain(statement.domain).range()
        image = image.project_out(isl.dim_type.set, 2, image.dim(isl.dim_type.set) - 2)
        times = image if times is None else times.union(image)
    assert times is not None
    first = times.dim_max(0).sub(times.dim_min(0)).add_constant_val(isl.Val(1)).coalesce()
    place = times.dim(isl.dim_type.param)
    line = times.move_dims(isl.dim_type.param, place, isl.dim_type.set, 0, 1)
    begin = line.dim_min(0)
    second = line.dim_max(0).sub(begin).add_constant_val(isl.Val(1)).coalesce()
    assumed = [max(EXTENT, THREADS * size) for size in sizes[:2]]
    return _Extents(
        constant(first) or assumed[0], constant(second) or assumed[1], _slope(begin, place)
    )


def _slope(value: isl.PwAff, place: int) -> int:
    """The largest coefficient of a parameter, rounded up; 0 where all are negative."""
    found = [0]

    def note(_: isl.Set, aff: isl.Aff) -> None:
        coefficient = aff.get_coefficient_val(isl.dim_type.param, place)
        found.append(int(coefficient.ceil().to_python()))

    value.foreach_piece(note)
    return max(found)


def _point_cycles(scop: Scop, depth: int) -> float:
    """Cycles for one point of a band of ``depth`` loops, what is inside of it included."""
    total = 0.0
    for statement in scop.statements:
        inside = [
            constant(iteration_count(scop, position)) or EXTENT
            for position in range(depth, statement.depth)
        ]
        total += prod(inside) * max(1, len(statement.accesses)) * ACCESS
    return total
