"""Directives by which tiles wait for each other: ``ordered`` in a pipelined nest, or tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from s2s.scop.schedule import Parallelism
from s2s.source.records import dataclass

# Tags in a row, by which tasks wait for each other.
TAGS = 1024


class Waits(Protocol):
    """The lines around a nest of tiles, and around each tile of it."""

    def before(self, low: str, high: str) -> list[str]:
        """Before the nest, whose innermost loop goes from ``low`` to ``high``."""
        ...

    def begin(self) -> list[str]:
        """Before a tile."""
        ...

    def end(self) -> str:
        """After a tile."""
        ...

    def behind(self) -> list[str]:
        """After the nest."""
        ...


@dataclass(frozen=True)
class Pipeline:
    """A doacross nest over the loops with the given ``counters``."""

    counters: Sequence[str]
    clauses: str

    def before(self, low: str, high: str) -> list[str]:
        # Consecutive iterations go to different threads, else they run one after the other.
        depth = len(self.counters)
        return [f"#pragma omp parallel for ordered({depth}) schedule(static, 1){self.clauses}"]

    def begin(self) -> list[str]:
        """Wait for the predecessor along each loop."""
        sinks = []
        for position in range(len(self.counters)):
            vector = [f"{n} - 1" if i == position else n for i, n in enumerate(self.counters)]
            sinks.append(f"depend(sink: {', '.join(vector)})")
        return [f"#pragma omp ordered {' '.join(sinks)}"]

    def end(self) -> str:
        return "#pragma omp ordered depend(source)"

    def behind(self) -> list[str]:
        return []


@dataclass(frozen=True)
class Tasks:
    """A task for each tile of two loops, created in order by one thread.

    A task waits for its predecessors by their tags: two rows of addresses, for the current row of
    tiles and the one before. Column ``c`` has tag ``(c - low + 1) / tiles``; where a row has more
    than ``tags`` columns, ``tiles`` neighbours share one and run in order. A tag is written by its
    own columns alone, so who depends on it comes after all of them that were created before.
    """

    row: str
    column: str
    clauses: str
    prefix: str
    tags: int = TAGS

    def before(self, low: str, high: str) -> list[str]:
        prefix = self.prefix
        return [
            f"#pragma omp parallel{self.clauses}",
            "#pragma omp single",
            "{",
            f"char {prefix}tags[2][{self.tags + 1}];",
            f"const long {prefix}tag_first = {low};",
            f"const long {prefix}tag_tiles = (({high}) - {prefix}tag_first) / {self.tags} + 1;",
            f"(void){prefix}tags;",
            f"(void){prefix}tag_tiles;",
        ]

    def begin(self) -> list[str]:
        above = self._tag(f"({self.row} - 1)", 1)
        left, own = self._tag(self.row, 0), self._tag(self.row, 1)
        return [f"#pragma omp task depend(in: {above}, {left}) depend(out: {own})", "{"]

    def end(self) -> str:
        return "}"

    def behind(self) -> list[str]:
        return ["}"]

    def _tag(self, row: str, further: int) -> str:
        """The tag of the tile in this column, or of the one to the left."""
        distance = f"{self.column} - {self.prefix}tag_first" + (" + 1" if further else "")
        return f"{self.prefix}tags[{row} & 1][({distance}) / {self.prefix}tag_tiles]"


def waits(kind: Parallelism, counters: Sequence[str], clauses: str, prefix: str) -> Waits:
    """The directives for loops of a kind; ``clauses`` are those of the parallel construct."""
    if kind is Parallelism.TASKS:
        row, column = counters
        return Tasks(row, column, clauses, prefix, TAGS)
    return Pipeline(counters, clauses)
