"""Streams between ports, with the bytes that are on their way, and the DMA of memories.

A stream has one source and any number of targets; what leaves the source is taken by all of them,
so that the slowest one sets the pace. Between the source and each target there is room for some
bytes. A DMA channel moves one buffer after the other: it waits for a lock, moves the bytes at the
rate of the stream, and releases the other lock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from s2s.simulators.aie.graph.events import Process, Store, Time
from s2s.source.records import dataclass

BURST = 128
"""Bytes that are moved as one."""


@dataclass(eq=False)
class Way:
    """From a source to one target: bytes that arrived, and the room that is left."""

    time: Time
    room: Store
    bytes: Store
    data: bytearray = field(default_factory=bytearray)


def way(time: Time, depth: int) -> Way:
    return Way(time, Store(time, float(depth)), Store(time))


@dataclass(eq=False)
class Buffers:
    """Copies of a buffer, used in turn: locks of the empty and of the full ones."""

    time: Time
    count: int
    size: int
    contents: list[bytes] = field(default_factory=list)
    empty: list[Store] = field(default_factory=list)
    full: list[Store] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.contents = [b""] * self.count
        self.empty = [Store(self.time, 1.0) for _ in range(self.count)]
        self.full = [Store(self.time) for _ in range(self.count)]


def _bursts(size: int) -> list[int]:
    return [min(BURST, size - at) for at in range(0, size, BURST)]


def sent(ways: list[Way], data: bytes, rate: float) -> Process:
    """Bytes into a stream, ``rate`` of them per cycle."""
    at = 0
    for size in _bursts(len(data)):
        for one in ways:
            yield (one.room, float(size))
        yield size / rate
        for one in ways:
            one.data += data[at : at + size]
            one.bytes.add(size)
        at += size


def received(one: Way, size: int, rate: float) -> Process:
    """Bytes out of a stream; what came is left at the front of the way's data."""
    for burst in _bursts(size):
        yield (one.bytes, float(burst))
        yield burst / rate
        one.room.add(burst)


def into_memory(one: Way, to: Buffers, iterations: int, rate: float, start: float) -> Process:
    """A DMA channel from a stream to the copies of a buffer."""
    for number in range(iterations):
        copy = number % to.count
        yield (to.empty[copy], 1.0)
        yield start
        yield from received(one, to.size, rate)
        to.contents[copy] = bytes(one.data[: to.size])
        del one.data[: to.size]
        to.full[copy].add(1)


def out_of_memory(
    of: Buffers, ways: list[Way], iterations: int, rate: float, start: float
) -> Process:
    """A DMA channel from the copies of a buffer to a stream."""
    for number in range(iterations):
        copy = number % of.count
        yield (of.full[copy], 1.0)
        yield start
        yield from sent(ways, of.contents[copy], rate)
        of.empty[copy].add(1)


def out_of_array(one: Way, size: int, rate: float, take: Callable[[bytes], None]) -> Process:
    """What leaves the array by a port."""
    for burst in _bursts(size):
        yield (one.bytes, float(burst))
        yield burst / rate
        one.room.add(burst)
        take(bytes(one.data[:burst]))
        del one.data[:burst]
