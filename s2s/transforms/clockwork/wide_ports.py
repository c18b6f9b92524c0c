"""Memories with an address for each word as tiles with one wide port.

Words lie in the SRAM in the order in which they come: those of the innermost loop of the writes
are side by side, and each of its rows begins at a fetch. A port that reads along that loop, each
word or each second one, or one word several times, needs a fetch for several of its words; one
that reads across it needs one for each word. When fetches move is searched, and what comes out is
proved to be the words that went in (section 4.3 of Setter's dissertation; figure 2.8).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import islice, product
from typing import TYPE_CHECKING

from s2s.analyses.memory_tiles import (
    FETCH,
    beginning,
    fetched_from,
    find_conflict,
    firings,
    trace_reads,
    trace_until,
)
from s2s.scop.netlist import Controller, Memory
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.wide_fetch import comes_too_late
from s2s.transforms.clockwork.wide_moves import (
    Digit,
    Port,
    digits_of,
    placed,
    port_moves,
    written_moves,
)

if TYPE_CHECKING:
    from s2s.analyses.memory_tiles import Numbers

_TRIES = 256
"""Combinations of times that are tried."""
_EARLY = (128, 4096)
"""Cycles after its last port's first use in which a tile is followed before all of its run is."""


def widen(memory: Memory, wanted: Sequence[Numbers], words: int) -> Memory | None:
    """A tile with a wide port that gives the words ``wanted`` (``trace_reads``); None where none
    is found.

    ``words``: those that a tile has.
    """
    if any(len(port) != 1 for port in (*memory.writes, *memory.reads)):
        return None
    digits = digits_of([port[0] for port in memory.writes])
    if digits is None:
        return None
    first = min(_first(port[0]) for port in memory.writes)
    try:
        writes = [written_moves(_from(port[0], first), digits) for port in memory.writes]
        reads = [port_moves(_from(port[0], first), digits) for port in memory.reads]
    except MappingError:
        return None
    if comes_too_late(memory, wanted):
        return None
    follow = _Following(memory, digits, first)
    if not all(
        any(follow.fetches(k, port, late) for late in port.late) for k, port in enumerate(reads)
    ):
        return None
    for untried in islice(_timed(memory, writes, reads), _TRIES):
        late = [port[0].start for port in untried.from_sram]
        if not all(
            follow.fetches(k, port, late[k] - port.moves.start) for k, port in enumerate(reads)
        ):
            continue
        if not all(follow.gives(untried, k) for k in range(len(reads))):
            continue
        moves = [port[0] for port in (*untried.to_sram, *untried.from_sram)]
        if _collide(moves):
            continue
        fetches = _fetches(moves[: len(writes)], moves[len(writes) :], words // FETCH + 1)
        found = replace(untried, modulo=fetches * FETCH)
        if find_conflict(found, words) is None and are_same(trace_reads(found), wanted):
            return found
    return None


@dataclass(frozen=True)
class _Following:
    """The first words that tiles give, beside those of a memory.

    Which words a port fetches depends on the times of its fetches, what it gives on those of what
    is written, too, and neither on other ports.
    """

    memory: Memory
    digits: Sequence[Digit]
    first: int
    known: dict[tuple[int, ...], bool] = field(default_factory=dict)

    @cached_property
    def wanted(self) -> list[tuple[int, list[Numbers]]]:
        """What the memory's ports give until some cycles."""
        last = max(port[0].start for port in (*self.memory.writes, *self.memory.reads))
        return [(last + more, trace_until(self.memory, last + more)) for more in _EARLY]

    def fetches(self, number: int, port: Port, late: int) -> bool:
        """Whether a port takes its first words from where they lie."""
        key = number, late
        if key not in self.known:
            self.known[key] = self._fetches(number, port.words, port.at(late))
        return self.known[key]

    def _fetches(self, number: int, words: Controller, moves: Controller) -> bool:
        (controller,) = self.memory.reads[number]
        lies = replace(controller, address=placed(_from(controller, self.first), self.digits))
        there = replace(self.memory, reads=((lies,),))
        tile = replace(self.memory, mode="sram", reads=((words,),), from_sram=((moves,),))
        return moves.start >= 0 and all(
            _agree(fetched_from(tile, 0, until), there, until, wanted[number])
            for until, wanted in self.wanted
        )

    def gives(self, tile: Memory, port: int) -> bool:
        """Whether a port of a tile gives these first words."""
        into, out = tile.to_sram, tile.from_sram[port : port + 1]
        key = port, *(move[0].start for move in (*into, *out))
        if key not in self.known:
            alone = replace(tile, reads=tile.reads[port : port + 1], from_sram=out)
            self.known[key] = all(
                are_same(trace_until(alone, until), wanted[port : port + 1])
                for until, wanted in self.wanted
            )
        return self.known[key]


def _agree(places: Numbers, there: Memory, until: int, wanted: Numbers) -> bool:
    """Whether words were fetched from their places, as far as something was written there."""
    lies = firings(beginning(there, until).reads[0])
    return bool(((places == lies.address[lies.cycles <= until]) | (wanted < 0)).all())


def _first(controller: Controller) -> int:
    assert controller.address is not None
    return controller.address[0]


def _from(controller: Controller, first: int) -> Controller:
    """With addresses that are counted from another one."""
    assert controller.address is not None
    start, strides = controller.address
    return replace(controller, address=(start - first, strides))


def are_same(first: Sequence[Numbers], second: Sequence[Numbers]) -> bool:
    """Whether ports have the same words at the same times."""
    import numpy as np

    return all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def _timed(memory: Memory, writes: Sequence[Port], reads: Sequence[Port]) -> Iterator[Memory]:
    """Tiles with different times of the fetches of which the first do not move at a time; fetches
    have a place each.
    """
    last = max(port.moves.start for port in (*writes, *reads))
    for times in product(*(port.late for port in (*writes, *reads))):
        moves = [port.at(late) for port, late in zip((*writes, *reads), times, strict=True)]
        if min(move.start for move in moves) < 0:
            continue
        to_sram, from_sram = moves[: len(writes)], moves[len(writes) :]
        found = Memory(
            memory.buffer,
            "sram",
            memory.capacity,
            tuple((port.words,) for port in writes),
            tuple((port.words,) for port in reads),
            (1 + max(_highest(move) for move in moves)) * FETCH,
            tuple((move,) for move in to_sram),
            tuple((move,) for move in from_sram),
        )
        if not any(_collides(beginning(found, last + more)) for more in _EARLY):
            yield found


def _collides(memory: Memory) -> bool:
    """Whether two fetches move at a time."""
    return _collide([port[0] for port in (*memory.to_sram, *memory.from_sram)])


def _highest(move: Controller) -> int:
    """The highest place of a fetch."""
    assert move.address is not None
    start, strides = move.address
    steps = zip(strides, move.extent, strict=True)
    return start + sum(max(0, stride) * (extent - 1) for stride, extent in steps)


def _collide(moves: Sequence[Controller]) -> bool:
    import numpy as np

    cycles = np.sort(np.concatenate([firings([move]).cycles for move in moves]))
    return bool(np.any(cycles[1:] == cycles[:-1]))


def _fetches(writes: Sequence[Controller], reads: Sequence[Controller], most: int) -> int:
    """The least modulus of fetches under which none takes the place of one still to be read,
    below ``most``; how many there are where there is none.
    """
    import numpy as np

    into, out = firings(writes), firings(reads)
    size = int(max(into.address.max(), out.address.max())) + 1
    born = np.full(size, np.iinfo(np.int64).max)
    last = np.full(size, -1, np.int64)
    np.minimum.at(born, into.address, into.cycles)
    np.maximum.at(last, out.address, out.cycles)
    (written,) = np.nonzero(born < np.iinfo(np.int64).max)
    born, last = born[written], np.maximum(last, born)[written]
    span = int(last.max()) + 1
    for modulus in range(_alive(born, last), min(size, most)):
        cells = written % modulus
        order = np.lexsort((born, cells))
        base = cells[order] * span
        ends = np.maximum.accumulate(base + last[order])
        if not np.any(base[1:] + born[order][1:] <= ends[:-1]):
            return modulus
    return size


def _alive(born: Numbers, last: Numbers) -> int:
    """The most intervals that overlap."""
    import numpy as np

    births, deaths = np.sort(born), np.sort(last)
    gone = np.searchsorted(deaths, births, side="left")
    return int((np.arange(1, births.size + 1) - gone).max(initial=1))
