"""One dimension under its cuts: which pieces there are, how often, and what comes after what.

Pieces that are cut alike are counted once: a dimension has few kinds of them, however many steps
it has. Numbers are Python's, so nothing overflows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from s2s.source.records import dataclass

Spread = tuple[tuple[int, int, int], ...]
"""What units have of a dimension: (first iteration, how many, units that have so many). The first
one has the most. Where places matter, each unit stands for itself."""

Change = tuple[Spread, Spread]
"""What was had at a step, and what at the next one; counted from where the first one begins."""


@dataclass(frozen=True)
class Split:
    """Tiles of ``tile`` for ``units`` at a time; ``place`` among the cuts of all dimensions."""

    tile: int
    units: int
    place: int

    @property
    def width(self) -> int:
        """Iterations that one step takes."""
        return self.tile * self.units


def whole(extent: int) -> Spread:
    """All iterations, of one unit."""
    return ((0, extent, 1),)


def spread(given: Spread, split: Split, step: int, apart: bool) -> Spread:
    """What units have at one step of a split; ``apart``: each for itself."""
    skip = step * split.width
    if split.units == 1:
        return tuple(
            (low + skip, max(0, min(split.tile, extent - skip)), times)
            for low, extent, times in given
        )
    if apart:
        return tuple(
            (low + skip + at, max(0, min(split.tile, extent - skip - at)), 1)
            for low, extent, _ in given
            for at in range(0, split.width, split.tile)
        )
    return tuple(_alike(given, split, skip))


def _alike(given: Spread, split: Split, skip: int) -> Iterator[tuple[int, int, int]]:
    for low, extent, times in given:
        full, rest = divmod(max(0, extent - skip), split.tile)
        full = min(full, split.units)
        if full:
            yield low + skip, split.tile, times * full
        if rest and full < split.units:
            yield low + skip, rest, times


def count(given: Spread, split: Split) -> int:
    """Steps of a split."""
    return -(-given[0][1] // split.width)


def first(given: Spread, splits: Sequence[Split], apart: bool) -> Spread:
    """The first piece under several splits."""
    for split in splits:
        given = spread(given, split, 0, apart)
    return given


def last(given: Spread, splits: Sequence[Split], apart: bool) -> Spread:
    """The last one."""
    for split in splits:
        given = spread(given, split, count(given, split) - 1, apart)
    return given


def moved(given: Spread, by: int) -> Spread:
    """The same from another iteration on."""
    return tuple((low + by, extent, times) for low, extent, times in given) if by else given


class Dimension:
    """All steps of one dimension, from a piece that is cut by ``splits``, outermost first.

    ``apart``: places of units matter, as the dimension has a part in a subscript with another one.
    """

    def __init__(self, given: Spread, splits: Sequence[Split], apart: bool) -> None:
        self.given, self.splits, self.apart = moved(given, -given[0][0]), tuple(splits), apart
        self._prefixes: list[Counter[Spread]] = [Counter({self.given: 1})]

    def prefixes(self, depth: int) -> Counter[Spread]:
        """The pieces after the first ``depth`` splits, each with how often there are such."""
        while len(self._prefixes) <= depth:
            split = self.splits[len(self._prefixes) - 1]
            found: Counter[Spread] = Counter()
            for given, times in self._prefixes[-1].items():
                for alike, piece in self._runs(given, split):
                    found[piece] += alike * times
            self._prefixes.append(found)
        return self._prefixes[depth]

    def _runs(self, given: Spread, split: Split) -> Iterator[tuple[int, Spread]]:
        """The pieces of a split in their order, from 0 on: how many alike, and what they are."""
        alike = min(extent for _, extent, _ in given if extent) // split.width
        if alike:
            yield alike, moved(spread(given, split, 0, self.apart), -given[0][0])
        for step in range(alike, count(given, split)):
            found = spread(given, split, step, self.apart)
            yield 1, moved(found, -found[0][0])

    def advances(self, depth: int) -> Counter[Change]:
        """The changes at which the split at ``depth`` goes on, and those inside begin anew."""
        split, inner = self.splits[depth], self.splits[depth + 1 :]
        found: Counter[Change] = Counter()
        for given, times in self.prefixes(depth).items():
            before: Spread | None = None
            for alike, piece in self._runs(given, split):
                ends = last(piece, inner, self.apart)
                begins = moved(first(piece, inner, self.apart), split.width)
                if before is not None:
                    found[_change(before, begins)] += times
                if alike > 1:
                    found[_change(ends, begins)] += times * (alike - 1)
                before = ends
        return found

    def returns(self, depth: int) -> Counter[Change]:
        """The changes at which the splits from ``depth`` on begin anew and the others stay."""
        inner = self.splits[depth:]
        found: Counter[Change] = Counter()
        for given, times in self.prefixes(depth).items():
            ends, begins = last(given, inner, self.apart), first(given, inner, self.apart)
            found[_change(ends, begins)] += times
        return found

    def changes(self, place: int) -> Counter[Change]:
        """The changes of this dimension when the cut at ``place`` goes on; empty if it never does.

        A dimension without that cut begins anew inside of it.
        """
        depth = sum(split.place < place for split in self.splits)
        if depth < len(self.splits) and self.splits[depth].place == place:
            return self.advances(depth)
        return self.returns(depth)


def _change(before: Spread, after: Spread) -> Change:
    start = before[0][0]
    return moved(before, -start), moved(after, -start)
