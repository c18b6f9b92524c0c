"""What a simulated machine shows of a run, as plain values: a page is made of it elsewhere.

Times are cycles, from 0. Every part has a ``title``; ``note`` says what else there is to know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from s2s.source.records import dataclass

Cell: TypeAlias = "str | int | float | None"


@dataclass(frozen=True)
class Slice:
    """What a track does from ``start`` on for ``length`` cycles; ``line`` is the source's, or 0."""

    track: int
    start: float
    length: float
    name: str
    line: int = 0


@dataclass(frozen=True)
class Timeline:
    """Tracks over time; ``cycles`` is where time ends."""

    title: str
    tracks: tuple[str, ...]
    slices: tuple[Slice, ...]
    cycles: float
    note: str = ""
    kind: str = field(default="timeline", init=False)


@dataclass(frozen=True)
class Table:
    """Rows under named columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    kind: str = field(default="table", init=False)


@dataclass(frozen=True)
class Bars:
    """A bar for each of ``names`` in each row."""

    title: str
    unit: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]
    note: str = ""
    kind: str = field(default="bars", init=False)


@dataclass(frozen=True)
class Grid:
    """Values in rows and columns, drawn darker where they are greater; a cell may have a label."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    labels: tuple[tuple[str, ...], ...] = ()
    note: str = ""
    kind: str = field(default="grid", init=False)


@dataclass(frozen=True)
class Listing:
    """A text with numbers beside its lines, by ``columns``."""

    title: str
    text: str
    columns: tuple[str, ...]
    counts: Mapping[int, tuple[float, ...]]
    note: str = ""
    kind: str = field(default="listing", init=False)


@dataclass(frozen=True)
class Roofline:
    """What a kernel reaches between two limits: operations in a cycle, and bytes in a cycle.

    ``points`` are names with operations for a byte, and operations in a cycle.
    """

    title: str
    peak: float
    bandwidth: float
    unit: str
    points: tuple[tuple[str, float, float], ...]
    note: str = ""
    kind: str = field(default="roofline", init=False)


Part: TypeAlias = Timeline | Table | Bars | Grid | Listing | Roofline


@dataclass(frozen=True)
class Picture:
    """A run: a few ``numbers`` (value, what it is), then parts under the names of views."""

    title: str
    machine: str
    numbers: tuple[tuple[str, str], ...]
    views: tuple[tuple[str, Sequence[Part]], ...]

    @property
    def timelines(self) -> list[Timeline]:
        return [part for _, parts in self.views for part in parts if isinstance(part, Timeline)]
