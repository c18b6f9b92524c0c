"""Values that are loaded a constant number of cycles after they were made: chains of delays.

A few cycles are registers, more are a memory tile that is written and read at the operation's
rhythm (a row of a line buffer).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from s2s.analyses.memory_tiles import FETCH
from s2s.scop.cycles import Start
from s2s.scop.netlist import Memory
from s2s.transforms.clockwork.controllers import address, controller, fit_loops, whole
from s2s.transforms.clockwork.fit_memories import GLOBAL, KINDS, mode_of
from s2s.transforms.clockwork.netlist_builder import NetlistBuilder
from s2s.transforms.clockwork.streams import REGISTERS, Piece
from s2s.transforms.clockwork.wide_fetch import rows_of, wide_memory

WORDS = 2048
"""Words of a memory tile."""


def add_taps(design: NetlistBuilder, known: Sequence[Piece]) -> dict[tuple[str, int], str]:
    """Where the value of an operation is after each delay with which it is loaded."""
    wanted: dict[str, dict[int, int]] = {}
    for piece in known:
        if piece.delay is not None:
            needed = wanted.setdefault(piece.producer, {})
            needed[piece.delay] = max(needed.get(piece.delay, 0), _outermost(design, piece))
    found: dict[tuple[str, int], str] = {}
    for producer, needed in wanted.items():
        heads = _add_rows(design, producer, needed)
        source = ""
        before = 0
        for delay in sorted({*needed, *heads}):
            if delay in heads:
                source = heads[delay]
            else:
                buffer = design.accelerator.operation(producer).store.tensor
                source = design.delayed(source, delay - before, buffer, f"{buffer}_reg")
            found[producer, delay], before = source, delay
    return found


def _outermost(design: NetlistBuilder, piece: Piece) -> int:
    """How many iterations of the producer's outermost loop a piece takes values from."""
    producer = design.accelerator.operation(piece.producer)
    loops = [k for k, extent in enumerate(producer.extents) if extent > 1]
    if not loops:
        return 1
    last = piece.relation.domain().dim_max_val(loops[0])
    return int(last.to_python()) - producer.minima[loops[0]] + 1


def _add_rows(design: NetlistBuilder, producer: str, needed: dict[int, int]) -> dict[int, str]:
    """Memories for delays that are too long for registers: where each of them begins.

    A tile gives a stream again after two delays; the next one takes it from there.
    """
    found = {0: f"{design.kernel(producer)}.out"}
    long = _heads(design.start(producer), sorted(needed))
    base = 0
    while long:
        for count in range(min(2, len(long)), 0, -1):
            tile = _tile(design, producer, base, long[:count], needed)
            if tile is not None:
                break
        assert tile is not None
        name = design.add(f"{tile.buffer}_mem", tile)
        design.connections.append((found[base], f"{name}.in0"))
        found |= {delay: f"{name}.out{k}" for k, delay in enumerate(long[:count])}
        base, long = long[count - 1], long[count:]
    return found


def _heads(start: Start, delays: Sequence[int]) -> list[int]:
    """Delays that begin a row: those longer than registers, none longer than a tile can hold."""
    found: list[int] = []
    before = base = 0
    for delay in delays:
        if delay - before > REGISTERS:
            tiles = -(-_in_flight(start, delay - base) // (WORDS - FETCH))
            found += [base + (delay - base) * k // tiles for k in range(1, tiles)]
            found.append(delay)
            base = delay
        before = delay
    return found


def _tile(
    design: NetlistBuilder, producer: str, base: int, delays: Sequence[int], needed: dict[int, int]
) -> Memory | None:
    """A tile for one or two delays after ``base``; one delay can have a port for each stream."""
    start = design.start(producer)
    buffer = design.accelerator.operation(producer).store.tensor
    counts = [max(n for d, n in needed.items() if d >= delay) for delay in delays]
    steps = [delay - base for delay in delays]
    wide = None
    if KINDS[design.options.memory].wide and GLOBAL not in buffer:
        wide = wide_memory(buffer, rows_of(start, base), steps, counts, WORDS)
    if wide is not None or len(delays) > 1:
        return wide
    return _row(design, producer, base, steps[0])


def _in_flight(start: Start, cycles: int) -> int:
    """The most iterations that start within so many cycles."""
    return _most_within(start.strides, start.extents, cycles)


@cache
def _most_within(strides: tuple[int, ...], extents: tuple[int, ...], cycles: int) -> int:
    """The same. A long delay is a chain of equal ones, which ask the same question.

    Of the outermost loop those iterations are enough that begin in such a time: later ones follow
    alike.
    """
    import numpy as np

    times = np.zeros(1, np.int64)
    for stride, extent in zip(strides, extents, strict=True):
        if times.size == 1 and stride > 0:
            extent = min(extent, cycles // stride + 2)
        times = (times[:, None] + stride * np.arange(extent)).ravel()
    later = np.searchsorted(times, times + cycles, side="left")
    return int((later - np.arange(times.size)).max(initial=0))


def _row(design: NetlistBuilder, producer: str, before: int, cycles: int) -> Memory:
    """A memory that gives an operation's values some cycles later."""
    start = design.start(producer)
    places, words = [], 1
    for extent in reversed(start.extents):
        places.append(words)
        words *= extent
    ports = [
        fit_loops(address(controller(start, whole(start), start.latency + at), 0, places))
        for at in (before, before + cycles)
    ]
    capacity = _in_flight(start, cycles)
    buffer = design.accelerator.operation(producer).store.tensor
    return Memory(buffer, mode_of(buffer), capacity, (ports[0],), (ports[1],), capacity)
