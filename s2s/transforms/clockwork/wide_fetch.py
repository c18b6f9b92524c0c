"""Memory tiles with one wide port: an SRAM of fetches of 4 words, aggregators, transpose buffers.

A row delay writes a word and reads one or two in each cycle; the SRAM does one fetch in a cycle,
and each fetch moves 4 words: three streams fit into one tile. A row of words begins at a fetch.
When fetches move is searched: as late as their words come in, as early as they go out, no two in
a cycle (figure 2.8 of Setter's dissertation; Lake's in2agg, agg2sram, sram2tb, tb2out).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from s2s.analyses.memory_tiles import FETCH, HALVES, find_conflict, firings, trace_reads
from s2s.scop.cycles import Start
from s2s.scop.netlist import Controller, Memory
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.transforms.clockwork.accesses import Numbers


_FOLLOWED = 8_000_000
"""Words of a stream, at most, of which each is followed to prove a tile."""
_LOOKED_AT = 2048
"""Fetches of a stream that are looked at before all of them are."""


@dataclass(frozen=True)
class Rows:
    """A stream of words: ``count`` of them ``step`` cycles apart are a row.

    ``outer``: extents and strides of the loops over rows, innermost first; ``start``: the cycle
    of the first word.
    """

    count: int
    step: int
    outer: tuple[tuple[int, int], ...]
    start: int

    @property
    def fetches(self) -> int:
        """Fetches of a row."""
        return -(-self.count // FETCH)

    def words(self, delay: int, size: int) -> Controller:
        """Fires with each word, and counts it by its place in fetches of ``size`` words."""
        places, rows = [1], self.fetches * size
        for extent, _ in self.outer:
            places.append(rows)
            rows *= extent
        extents, strides = zip((self.count, self.step), *self.outer, strict=True)
        return Controller(extents, strides, self.start + delay, (0, tuple(places)))

    def moves(self, delay: int) -> Controller:
        """Fires with each fetch, ``delay`` cycles after its first word, and counts fetches."""
        places, rows = [1], self.fetches
        for extent, _ in self.outer:
            places.append(rows)
            rows *= extent
        loops = ((self.fetches, FETCH * self.step), *self.outer)
        extents, strides = zip(*loops, strict=True)
        address = 0, tuple(places)
        return Controller(extents, strides, self.start + delay, address, address)


def rows_of(start: Start, delay: int = 0) -> Rows:
    """The stream of an operation's values, ``delay`` cycles after they are made."""
    count, step = 1, 1
    outer: list[tuple[int, int]] = []
    for extent, stride in zip(reversed(start.extents), reversed(start.strides), strict=True):
        if extent == 1:
            continue
        if count == 1 and not outer:
            count, step = extent, stride
        else:
            outer.append((extent, stride))
    return Rows(count, step, tuple(outer), start.offset + start.latency + delay)


def wide_memory(
    buffer: str, rows: Rows, delays: Sequence[int], needed: Sequence[int], words: int
) -> Memory | None:
    """A tile that gives the words of a stream again after each of one or two delays.

    ``needed``: for each delay how many iterations of the outermost loop have to be given again.
    None where no times are found at which fetches can move, where the tile has too few words, and
    for streams of more words than can be followed one by one.
    """
    if rows.count * prod(extent for extent, _ in rows.outer) > _FOLLOWED:
        return None
    found = _from_zero(replace(rows, start=0), tuple(delays), tuple(needed), words)
    return None if found is None else replace(shift(found, rows.start), buffer=buffer)


@cache
def _from_zero(
    rows: Rows, delays: tuple[int, ...], needed: tuple[int, ...], words: int
) -> Memory | None:
    """The tile for a stream that begins in cycle 0; lanes of a stream are one question."""
    last = (FETCH - 1) * rows.step
    if min(delays) < last + 3:
        return None
    outs = [_first(rows, count) for count in needed]
    late = range(last + 1, (2 * FETCH - 1) * rows.step + 1)
    early = range(1, FETCH * rows.step + 2)
    few = [_beginning(each) for each in (rows, *outs)]
    for write, *reads in product(late, *(early for _ in delays)):
        leads = [write, *(d - lead for d, lead in zip(delays, reads, strict=True))]
        if _fold_of(few, leads, (0, *delays), last, words) is None:
            continue
        moves = [each.moves(at) for each, at in zip((rows, *outs), leads, strict=True)]
        fetches = _fold_of((rows, *outs), leads, (0, *delays), last, words)
        if fetches is not None:
            tile = Memory(
                "",
                "sram",
                _alive(rows, max(delays)),
                ((rows.words(0, FETCH),),),
                tuple((o.words(d, FETCH),) for o, d in zip(outs, delays, strict=True)),
                fetches * FETCH,
                ((moves[0],),),
                tuple((move,) for move in moves[1:]),
            )
            if find_conflict(tile, words) is None and _gives_again(tile):
                return tile
    return None


def _beginning(rows: Rows) -> Rows:
    """The first rows: what goes wrong in them goes wrong in all of them."""
    outer: list[tuple[int, int]] = []
    left = max(1, _LOOKED_AT // rows.fetches)
    for extent, stride in rows.outer:
        outer.append((min(extent, left), stride))
        left = max(1, left // extent)
    return replace(rows, outer=tuple(outer))


def _fold_of(
    streams: Sequence[Rows], leads: Sequence[int], delays: Sequence[int], last: int, words: int
) -> int | None:
    """Fetches that streams need whose fetches move after ``leads``; None if that cannot be."""
    moves = [_times(each.moves(at)) for each, at in zip(streams, leads, strict=True)]
    starts = [_times(each.moves(at)) for each, at in zip(streams, delays, strict=True)]
    fetches = _fold(moves, starts, last)
    return None if fetches is None or fetches * FETCH > words else fetches


def _gives_again(tile: Memory) -> bool:
    """Whether the k-th word that a port gives is the k-th that came in."""
    import numpy as np

    return all(np.array_equal(given, np.arange(given.size)) for given in trace_reads(tile))


def shift(memory: Memory, cycles: int) -> Memory:
    """The same, so many cycles later."""
    return memory.with_controllers(lambda each: replace(each, start=each.start + cycles))


def comes_too_late(memory: Memory, wanted: Sequence[Numbers]) -> bool:
    """Whether a word is read before the fetch in which it is can have come by way of the SRAM.

    A fetch leaves the aggregator when all of its words can be there, at the earliest. ``wanted``:
    the writes of a memory with an address for each word that its reads get (``trace_reads``).
    """
    import numpy as np

    known = np.concatenate([_earliest(port[0]) for port in memory.writes])
    return any(
        bool((firings(port).cycles[given >= 0] < known[given[given >= 0]]).any())
        for port, given in zip(memory.reads, wanted, strict=True)
    )


def _earliest(write: Controller) -> Numbers:
    """For each word that is written the first cycle in which a port may give it."""
    import numpy as np

    count, step = next(p for p in zip(write.extent, write.stride, strict=True) if p[0] > 1)
    rows = firings([write]).cycles.reshape(-1, count)
    begin = rows[:, np.arange(count) // FETCH * FETCH]
    return (begin + (min(count, FETCH) - 1) * step + 3).ravel()


def _first(rows: Rows, count: int) -> Rows:
    """The first iterations of the outermost loop over rows."""
    if not rows.outer:
        return rows
    *inner, (_, stride) = rows.outer
    return Rows(rows.count, rows.step, (*inner, (count, stride)), rows.start)


def _times(controller: Controller) -> Numbers:
    """Cycles of all firings, in the order of the loops."""
    import numpy as np

    times = np.array([controller.start])
    for extent, stride in zip(
        reversed(controller.extent), reversed(controller.stride), strict=True
    ):
        times = (times[:, None] + stride * np.arange(extent)).ravel()
    return times


def _fold(moves: Sequence[Numbers], starts: Sequence[Numbers], last: int) -> int | None:
    """Fetches that the SRAM must hold; None where two move in a cycle or one comes too late.

    ``starts``: cycles of the first words of the fetches, as they come in and as they go out;
    ``last``: cycles from there to the last words.
    """
    import numpy as np

    every = np.sort(np.concatenate(moves))
    if np.any(every[1:] == every[:-1]):
        return None
    written, most = moves[0], 1
    if np.any(starts[0][HALVES:] < written[:-HALVES]):
        return None
    for read, start in zip(moves[1:], starts[1:], strict=True):
        number = np.arange(read.size)
        if np.any(read <= written[: read.size]):
            return None
        if np.any(read[HALVES:] < start[:-HALVES] + last):
            return None
        most = max(most, int((np.searchsorted(written, read) - number).max()))
    return most


def _alive(rows: Rows, delay: int) -> int:
    """The most words that wait for their last reading."""
    import numpy as np

    times = _times(rows.words(0, FETCH))
    later = np.searchsorted(times, times + delay, side="left")
    return int((later - np.arange(times.size)).max(initial=0))
