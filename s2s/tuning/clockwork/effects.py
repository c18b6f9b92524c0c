"""What a step along one axis comes to, learned from candidates that differ in nothing else.

Half a tile, a lane less, another order of sums: each does about the same to cycles, PEs and memory
tiles wherever it is taken. So what was seen of a step tells which of many steps to try next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from itertools import combinations, permutations, product

from s2s.source.records import dataclass
from s2s.tuning.clockwork.candidates import NEAR, Candidates
from s2s.tuning.clockwork.estimate import Likely
from s2s.tuning.clockwork.space import Places, distance

Line = dict[int, Places]
"""Candidates that differ on one axis, by their places on it."""
Pair = tuple[Places, Places]
"""A step that was taken, from the first to the second."""

_TRADED = 1.4
"""How many times the PEs, and how many times as fast, a step is that makes more at once."""


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
        here, pair = self.known.likely(start), self._alike(start, axis, place)
        return self._scaled(here, *pair) if pair and not here.failure else None

    def predicted_of_two(self, start: Places) -> Iterator[tuple[Places, Likely, Likely, Likely]]:
        """What two steps at once lead to, for all that are known of each: where to, what the
        first and the second alone come to, and both.
        """
        here = self.known.likely(start)
        if here.failure:
            return
        steps = [
            [(place, pair, self._scaled(here, *pair)) for place, pair in self._steps(start, axis)]
            for axis in range(len(start))
        ]
        for one, other in combinations(range(len(start)), 2):
            for (p, _, first), (q, pair, second) in product(steps[one], steps[other]):
                end = list(start)
                end[one], end[other] = p, q
                both = first if first.failure else self._scaled(first, *pair)
                yield tuple(end), first, second, both

    def reshaped(self, start: Places) -> Iterator[Places]:
        """Candidates that make as much at once: of two numbers, each of which trades PEs for
        cycles, one is multiplied by what the other is divided by, each by as little as there is.
        """
        axes = self.known.space.axes
        numbers = [k for k, axis in enumerate(axes) if axis.is_number and self._trades(k)]
        for one, other in permutations(numbers, 2):
            here, there = (int(axes[k].values[start[k]][0]) for k in (one, other))
            places = {text: place for place, (text,) in enumerate(axes[other].values)}
            for place, (text,) in enumerate(axes[one].values):
                times = int(text) // here if here and int(text) % here == 0 else 1
                if times > 1 and there % times == 0 and str(there // times) in places:
                    end = list(start)
                    end[one], end[other] = place, places[str(there // times)]
                    yield tuple(end)
                    break

    def _trades(self, axis: int) -> bool:
        """Whether a step along an axis was one from fewer PEs to fewer cycles."""
        for line in self._lines[axis].values():
            some = [one for p in line.values() if not (one := self.known.least(p)).failure]
            for one, other in permutations(some, 2):
                if one.total * _TRADED <= other.total and one.pes >= other.pes * _TRADED:
                    return True
        return False

    def predicted_of_both(self, start: Places, end: Places) -> Likely | None:
        """What steps on several axes at once lead to, if the same were taken nearby: far away
        streams may decide and not products.
        """
        here, changed = self.known.likely(start), [k for k, p in enumerate(end) if p != start[k]]
        pairs = []
        for first in self._seen:
            second = list(first)
            for k in changed:
                second[k] = end[k]
            is_alike = all(first[k] == start[k] for k in changed)
            if is_alike and distance(first, start) < NEAR and tuple(second) in self._seen:
                pairs.append((first, tuple(second)))
        pairs = [p for p in pairs if not self.known.likely(p[0]).failure]
        pair = min(pairs, key=lambda p: (distance(p[0], start), p), default=None)
        return self._scaled(here, *pair) if pair and not here.failure else None

    def _steps(self, start: Places, axis: int) -> Iterator[tuple[int, Pair]]:
        for place in range(len(self.known.space.axes[axis].values)):
            if place != start[axis] and (pair := self._alike(start, axis, place)):
                yield place, pair

    def _alike(self, start: Places, axis: int, place: int) -> Pair | None:
        """The step like this one that is nearest to ``start``; one that changed nothing tells
        nothing (as many lanes as another number says are that number, there).
        """
        some, said = self._pairs(axis, start[axis], place), self.known.unmapped
        pairs = [pair for pair in some if said(pair[0]) != said(pair[1])]
        return min(pairs, key=lambda pair: (distance(pair[0], start), pair), default=None)

    def _pairs(self, axis: int, here: int, there: int) -> Iterator[Pair]:
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
