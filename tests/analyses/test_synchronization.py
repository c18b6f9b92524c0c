"""Which form of waiting is cheapest, against cases where the answer is known."""

from __future__ import annotations

import pytest

from s2s.analyses.synchronization import (
    ACCESS,
    EXTENT,
    Form,
    Grid,
    cheapest,
    cycles,
    doacross_cycles,
    grids,
    tasks_cycles,
    wavefront_cycles,
)
from s2s.transforms.reschedule import reschedule
from tests.lifting import analysed, scop_of
from tests.soundness.harness import STENCIL


def _all(grid: Grid) -> dict[Form, Grid]:
    return {"doacross": grid, "wavefront": grid, "tasks": grid}


@pytest.mark.parametrize(
    ("grid", "threads", "form"),
    [
        (Grid(32, 128, 500_000.0, 4), 2, "doacross"),
        (Grid(128, 8, 200_000.0), 2, "doacross"),
        # Rows of one tile, none above another: no form runs two of them at a time.
        (Grid(16, 1, 327_680.0, 1), 8, "doacross"),
        # Many tiles to a diagonal, and next to nothing in each of them.
        (Grid(2000, 2000, 20.0), 8, "wavefront"),
        # Nine rows for eight threads: one would have two of them.
        (Grid(9, 400, 1_000_000.0), 8, "tasks"),
    ],
)
def test_the_form_for_a_grid(grid: Grid, threads: int, form: Form) -> None:
    assert cheapest(_all(grid), threads) == form


@pytest.mark.parametrize("cost", [doacross_cycles, wavefront_cycles, tasks_cycles])
@pytest.mark.parametrize("grid", [Grid(1, 1, 1e6), Grid(7, 5, 1e5, 2), Grid(40, 90, 1e4)])
def test_no_form_is_faster_than_its_work(cost, grid: Grid) -> None:  # type: ignore[no-untyped-def]
    """Neither than the work of a thread nor than a chain of tiles that wait for each other."""
    for threads in (1, 2, 8):
        assert cost(grid, threads) >= grid.rows * grid.columns * grid.work / threads
        assert cost(grid, threads) >= (grid.rows + grid.columns - 1) * grid.work


@pytest.mark.parametrize("shift", [0, 1, 4])
def test_diagonals_have_all_tiles(shift: int) -> None:
    """With one thread and no cost of a barrier all that is left is the work."""
    grid = Grid(7, 5, 1000.0, shift)
    costless = wavefront_cycles(Grid(7, 5, 0.0, shift), 1)
    assert wavefront_cycles(grid, 1) - costless == pytest.approx(35 * 1000.0 * 1.15)


def test_small_tiles_make_tasks_dear() -> None:
    small, large = cycles(_all(Grid(64, 64, 100.0)), 4), cycles(_all(Grid(64, 64, 1e6)), 4)
    assert small["tasks"] > 2 * small["doacross"]
    assert large["tasks"] < 1.1 * large["doacross"]


def test_the_grid_of_a_stencil() -> None:
    """64 steps of 66 x n: tiles of 16 x 8, each row of them four columns further."""
    loops = STENCIL.replace("T;", "64;").replace("n - 1", "65")
    found = analysed(scop_of(f"double u[66][99], v[66][99]; void sweep(int m) {{\n{loops}\n}}\n"))
    planned = reschedule(found.scop, found.pruned)
    made = grids(planned, (16, 8))
    accesses = sum(len(s.accesses) for s in found.scop.statements)
    assert made["doacross"].rows == 4
    assert made["doacross"].shift == 4
    assert made["doacross"].columns in (8, 9)
    assert made["doacross"].work == 16 * 8 * EXTENT * accesses * ACCESS
    assert grids(planned, (16, 8), elastic=True)["tasks"].rows == 8
    assert grids(planned, (16, 8), chunk=2)["wavefront"].rows == 2
