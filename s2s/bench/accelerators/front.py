"""What a search for schedules found: the front of cycles, PEs and memories as table and plot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from s2s.bench.records import Record
from s2s.bench.tables import number, table
from s2s.tuning.clockwork.search import Found, Search

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEAD = ("cycles", "a run", "runs", "at least", "PEs", "MEMs", "occupancy %", "schedule")


def render(name: str, search: Search) -> str:
    """How much was looked at, the limits, and the front, fastest first."""
    limits = search.limits
    lines = [
        f"{name}: {len(search.bounds)} schedules, {len(search.measured)} simulated, within"
        f" {limits.pes} PEs, {limits.memories} memories, {limits.streams} streams of"
        f" {limits.words} words"
    ]
    front = search.front()
    lines.append(table(_HEAD, [_cells(search, f) for f in front], left=(7,), ruled=False))
    own = search.mapped.get(search.space.base)
    if front and own is not None:
        lines += _about(front[0], own.total if own.is_good else 0)
    return "\n".join(lines)


def _about(best: Found, own: int) -> Iterator[str]:
    """The fastest: its sum of cycles, what it cannot go below, and how much it gains."""
    assert best.measured is not None
    yield f"fastest: {best.measured.cycles} cycles = {best.measured.terms}"
    yield f"its busiest kernel has {best.bound.cycles} iterations = {best.bound.shown}"
    if own:
        yield f"{own / best.total:.3f} times as fast as the first schedule ({own} cycles)"


def _cells(search: Search, found: Found) -> tuple[str, ...]:
    one = found.measured
    assert one is not None
    occupancy = 100 * one.ideal / one.cycles if one.ideal else None
    figures = (found.total, one.cycles, one.runs, found.bound.total, one.pes, one.memories)
    return *map(str, figures), number(occupancy, 1), shown(search, found)


def shown(search: Search, found: Found) -> str:
    """A candidate in words."""
    return " ".join(f"{n}={v}" for n, v in search.space.values(found.places).items())


def records(name: str, search: Search) -> Iterator[Record]:
    """A record for each figure of each design that was simulated and fits."""
    front = {one.places for one in search.front()}
    for one in search.good():
        assert one.measured is not None
        note = "on the front" if one.places in front else "beaten"
        for metric, figure, unit in (
            ("total cycles", one.total, "cycles"),
            ("cycles", one.measured.cycles, "cycles"),
            ("bound", one.bound.total, "cycles"),
            ("pes", one.measured.pes, ""),
            ("memories", one.measured.memories, ""),
        ):
            yield Record(
                suite="tune clockwork", case=name, variant=shown(search, one), metric=metric,
                value=figure, unit=unit, note=note,
            )  # fmt: skip


def draw(name: str, search: Search) -> Figure:
    """Cycles by PEs; the size of a point says how many memories, the front is a line."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.0, 4.0), dpi=120)
    axes = figure.add_subplot()
    good, front = search.good(), search.front()
    axes.scatter(*_points(good), s=[8 + 4 * f.measured.memories for f in good if f.measured])
    axes.plot(*_points(sorted(front, key=lambda f: _pes(f))), color="red", linewidth=0.8)
    if good:
        axes.set_yscale("log")
    axes.set_xlabel("PEs (the size of a point: memory tiles)")
    axes.set_ylabel("cycles of all tiles")
    axes.set_title(name)
    figure.tight_layout()
    return figure


def _points(found: Sequence[Found]) -> tuple[list[int], list[int]]:
    return [_pes(f) for f in found], [f.total for f in found]


def _pes(found: Found) -> int:
    return found.measured.pes if found.measured else 0
