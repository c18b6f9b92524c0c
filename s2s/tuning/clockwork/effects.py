"""What a step along one axis comes to, learned from candidates that differ in nothing else.

Half a tile, a lane less, another order of sums: each does about the same to cycles, PEs and memory
tiles wherever it is taken. So what was seen of a step tells which of many steps to try next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from s2s.tuning.clockwork.candidates import Candidates
from s2s.tuning.clockwork.estimate import Likely
from s2s.tuning.clockwork.space import Places, distance

Line = dict[int, Places]
"""Candidates that differ on one axis, by their places on it."""


@dataclass
class Effects:
    """Steps between candidates that were looked at."""

    known: Candidates
    _lines: list[dict[Places, Line]] = field(default_factory=list)
    _seen: set[Places] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._lines = [{} for _ in self.known.space.axes]
        for places in self.known.bounds:
            self.learn(places)

    def learn(self, places: Places) -> None:
        """A candidate that was looked at."""
        if places not in self._seen:
            self._seen.add(places)
            for axis, lines in enumerate(self._lines):
                lines.setdefault(_rest(places, axis), {})[places[axis]] = places

    def tried(self, axis: int) -> int:
        """How many candidates have a neighbour along an axis."""
        return sum(len(line) - 1 for line in self._lines[axis].values())

    def predicted(self, start: Places, axis: int, place: int) -> Likely | None:
        """What a step leads to, if one like it was taken; of these the one nearest to ``start``."""
        here = self.known.likely(start)
        pairs = [] if here.failure else list(self._pairs(axis, start[axis], place))
        if not pairs:
            return None
        first, second = min(pairs, key=lambda pair: (distance(pair[0], start), pair))
        return self._scaled(here, first, second)

    def _pairs(self, axis: int, here: int, there: int) -> Iterator[tuple[Places, Places]]:
        for line in self._lines[axis].values():
            if here in line and there in line and not self.known.likely(line[here]).failure:
                yield line[here], line[there]

    def _scaled(self, here: Likely, first: Places, second: Places) -> Likely:
        """``here`` with the effect of the step from the first to the second."""
        one, other = self.known.unmapped(first), self.known.unmapped(second)
        if not (one.is_scheduled and other.is_scheduled):
            one, other = self.known.least(first), self.known.least(second)
        if other.failure:
            return other
        changed = {
            name: round(getattr(here, name) * getattr(other, name) / (getattr(one, name) or 1))
            for name in ("total", "pes", "memories", "streams", "words")
        }
        return replace(here, **changed)


def _rest(places: Places, axis: int) -> Places:
    return (*places[:axis], *places[axis + 1 :])
