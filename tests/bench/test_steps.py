"""The letters of Table 3.2 are those of the schedule, whatever a pass says of itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import islpy as isl
import pytest

from s2s.analyses.schedule_steps import letters
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule
from s2s.transforms.parallelize import doacross
from s2s.transforms.reschedule import reschedule
from s2s.transforms.tile import tile
from tests.jacobi import JACOBI
from tests.lifting import analysed, scop_of

# Two statements in loops of their own inside a common one.
PROGRAM = Path(__file__).with_name("steps.c").read_text()
BAND = Role.BAND


@pytest.fixture(scope="module")
def scop() -> Scop:
    return scop_of(PROGRAM)


def scheduled(scop: Scop, first: str, second: str, *dimensions: Dimension) -> Scop:
    """The program with time vectors in isl's notation for S1[t, i] and S2[t, i]."""
    maps = {}
    for name, vector in (("S1", first), ("S2", second)):
        item = isl.Map(f"[n] -> {{ {name}[t, i] -> [{vector}] }}")
        maps[name] = item.intersect_domain(scop.statement(name).domain)
    count = maps["S1"].dim(isl.dim_type.out)
    dimensions = dimensions or tuple(Dimension(f"d{i}", BAND) for i in range(count))
    return replace(scop, target=Schedule(maps, dimensions))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("t, 0, i", "t, 1, i", ""),
        ("0, t, i", "1, t, i", ""),
        ("t, i, 0", "t, i, 1", "F"),
        ("t, i + 1", "t, i", "F"),
        ("t, 0, i", "t, n, i", ""),
        ("0, i, t", "1, t, i", "P"),
        ("i, t, 0", "i, t, 1", "PF"),
        ("t, 0, t + i", "t, 1, i", "S"),
        ("t, 2t + i, 0", "t, 2t + i + 1, 1", "FS"),
        ("t + i, t, 0", "t + i, t, 1", "FS"),
        ("t, 0, n - i", "t, 1, i", ""),
    ],
)
def test_order_fusion_and_skewing(scop: Scop, first: str, second: str, expected: str) -> None:
    assert letters(scheduled(scop, first, second)) == expected


def test_the_source_has_none(scop: Scop) -> None:
    assert letters(scop) == ""


@pytest.mark.parametrize(
    ("sizes", "parallelism", "expected"),
    [
        ((32, 32), Parallelism.NONE, "FT"),
        ((32, 1), Parallelism.NONE, "FT"),
        ((32, 1), Parallelism.DOALL, "F"),
        ((1, 1), Parallelism.NONE, "F"),
        ((32, 32), Parallelism.DOACROSS, "FTD"),
    ],
    ids=["tiles", "one loop", "strips for threads", "tiles of one", "pipeline"],
)
def test_tiles_and_pipelines(
    scop: Scop, sizes: tuple[int, int], parallelism: Parallelism, expected: str
) -> None:
    outer = [Dimension(f"o{k}", Role.TILE, parallelism, size) for k, size in enumerate(sizes)]
    inner = [Dimension("t", BAND), Dimension("i", BAND), Dimension("o", Role.ORDER)]
    vector = f"floor(t/{sizes[0]}), floor(i/{sizes[1]}), t, i"
    assert letters(scheduled(scop, f"{vector}, 0", f"{vector}, 1", *outer, *inner)) == expected


def test_the_published_transformation_of_jacobi_has_the_published_letters() -> None:
    found = analysed(scop_of(JACOBI))
    planned = reschedule(found.scop, found.pruned)
    assert letters(planned) == "FS"
    assert letters(doacross(tile(planned, (16, 8)), first=0)) == "FSTD"


def test_a_spent_budget_costs_the_letters_and_nothing_else(scop: Scop) -> None:
    planned = scheduled(scop, "t, i, 0", "t, i, 1")
    context = isl.DEFAULT_CONTEXT
    context.reset_operations()
    context.set_max_operations(1)
    try:
        assert letters(planned) == ""
    finally:
        context.set_max_operations(0)
        context.reset_operations()
    assert letters(planned) == "F"
