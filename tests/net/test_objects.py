"""Objects that two texts allocate in another order stand for each other; what is in them counts."""

from __future__ import annotations

import operator

import pytest

from s2s.net.memory import Cells, Contents, World
from s2s.net.objects import Objects


def _two() -> tuple[Cells, Cells]:
    return Cells(World(Contents(), {})).go_on()


def test_the_order_of_allocations_does_not_count() -> None:
    source, result = _two()
    rows = [source.allocate(size) for size in (8, 8)]
    others = [result.allocate(size) for size in (4, 8, 8)]
    objects = Objects(source, result)
    assert objects.are_same(rows[0], others[2]) and objects.are_same(rows[1] + 3, others[1] + 3)
    assert not objects.are_same(rows[0], others[1]), "each stands for one"
    assert not objects.are_same(rows[1], others[2]), "each stands for one"


@pytest.mark.parametrize("found", ["other size", "other offset", "number"])
def test_other_objects_are_not_the_same(found: str) -> None:
    source, result = _two()
    wanted = source.allocate(8)
    other = {
        "other size": result.allocate(9),
        "other offset": result.allocate(8) + 1,
        "number": 1.0,
    }
    assert not Objects(source, result).are_same(wanted, other[found])


@pytest.mark.parametrize("value", [7, 8])
def test_elements_of_objects_count_through_pointers(value: int) -> None:
    """A table of rows, of which one has another value in the end."""
    source, result = _two()
    result.allocate(3)
    tables = []
    for memory, number in ((source, 7), (result, value)):
        row, table = memory.allocate(8), memory.allocate(8)
        memory.store(range(row, row + 1), [number])
        memory.store(range(table, table + 1), [row])
        tables.append(table)
    objects = Objects(source, result)
    assert objects.are_same(*tables)
    assert objects.differ(lambda a, b: operator.eq(a, b) or objects.are_same(a, b)) is (value != 7)
