"""The tags of tasks, followed as a runtime does: what a tile has to wait for comes before it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from s2s.emitters.c.waits import Pipeline, Tasks, waits
from s2s.scop.schedule import Parallelism

Tile = tuple[int, int]
_DEPEND = re.compile(r"depend\((in|out): ((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")
_TAG = re.compile(r"x_tags\[(.*?)\]\[(.*?)\](?:, |$)")


def _divide(text: str) -> str:
    """C's division of numbers that are not negative, in Python."""
    return text.replace("/", "//")


def _tags(directive: str, values: dict[str, int]) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for kind, items in _DEPEND.findall(directive):
        found[kind] = [
            (eval(_divide(row), {}, values), eval(_divide(column), {}, values))
            for row, column in _TAG.findall(items)
        ]
    return found


def _predecessors(tasks: Tasks, rows: range, columns: range) -> dict[Tile, set[Tile]]:
    """All tiles that are done before a tile begins, by the rules of ``depend``."""
    low, high = columns[0], columns[-1]
    values = {"x_tag_first": low, "x_tag_tiles": (high - low) // tasks.tags + 1}
    written: dict[tuple[int, int], Tile] = {}
    read: dict[tuple[int, int], set[Tile]] = {}
    before: dict[Tile, set[Tile]] = {}
    (directive, _) = tasks.begin()
    for tile in ((r, c) for r in rows for c in columns):
        tags = _tags(directive, {**values, "r": tile[0], "c": tile[1]})
        assert len(tags["in"]) == 2 and len(tags["out"]) == 1
        assert all(0 <= c <= tasks.tags and r in (0, 1) for t in tags.values() for r, c in t)
        direct = {written[tag] for kind in tags for tag in tags[kind] if tag in written}
        direct |= {reader for tag in tags["out"] for reader in read.get(tag, ())}
        before[tile] = direct.union(*(before[d] for d in direct))
        for tag in tags["in"]:
            read.setdefault(tag, set()).add(tile)
        for tag in tags["out"]:
            written[tag], read[tag] = tile, set()
    return before


@given(
    st.integers(-3, 3), st.integers(1, 5), st.integers(-5, 5), st.integers(1, 14), st.integers(1, 5)
)
def test_a_tile_comes_behind_its_predecessors(
    top: int, rows: int, low: int, columns: int, tags: int
) -> None:
    tasks = Tasks("r", "c", "", "x_", tags)
    before = _predecessors(tasks, range(top, top + rows), range(low, low + columns))
    for row, column in before:
        for wanted in ((row - 1, column), (row, column - 1)):
            assert wanted not in before or wanted in before[row, column]


def test_a_row_does_not_wait_for_all_of_the_one_above() -> None:
    before = _predecessors(Tasks("r", "c", "", "x_", 16), range(2), range(8))
    assert before[1, 3] == {(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2)}


def test_a_pipeline_of_three_loops() -> None:
    assert Pipeline(("a", "b", "c"), " if(x)").before("0", "9") == [
        "#pragma omp parallel for ordered(3) schedule(static, 1) if(x)"
    ]
    (wait,) = waits(Parallelism.DOACROSS, ("a", "b"), "", "x_").begin()
    assert wait == "#pragma omp ordered depend(sink: a - 1, b) depend(sink: a, b - 1)"


def test_the_limits_of_a_row_are_whole_expressions() -> None:
    lines = Tasks("r", "c", " num_threads(2)", "x_", 8).before("low", "n > 2 ? n : 2")
    assert lines[0] == "#pragma omp parallel num_threads(2)"
    assert "const long x_tag_tiles = ((n > 2 ? n : 2) - x_tag_first) / 8 + 1;" in lines
