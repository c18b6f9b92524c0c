"""Which buffers a program has laid into the core's memories, and from where to where it uses them.

A buffer begins where a pointer is declared to; an access belongs to the one that begins last
before it.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import field

from s2s.simulators.davinci.kinds import MEMORY_NAMES
from s2s.source.records import dataclass


@dataclass
class Buffer:
    """Bytes from ``start`` to ``end`` are used, in lines from ``first`` to ``last``."""

    name: str
    space: str
    start: int
    end: int
    first: int
    last: int
    declared: int

    def describe(self) -> str:
        return (
            f"bytes {self.start} to {max(self.end, self.start + 1) - 1} of "
            f"{MEMORY_NAMES[self.space]}, lines {self.first} to {self.last}"
        )


@dataclass
class Buffers:
    """All of a core, by memory and beginning."""

    known: dict[tuple[str, int], Buffer] = field(default_factory=dict)
    starts: dict[str, list[int]] = field(default_factory=dict)

    def declare(self, space: str, name: str, start: int, line: int) -> None:
        if (space, start) not in self.known:
            self.known[space, start] = Buffer(name, space, start, start, line, line, line)
            insort(self.starts.setdefault(space, []), start)

    def touch(self, space: str, address: int, end: int, line: int) -> str:
        """Note an access; what is odd about it, or nothing."""
        starts = self.starts.get(space, [])
        place = bisect_right(starts, address) - 1
        if place < 0:
            return ""
        buffer = self.known[space, starts[place]]
        if buffer.end == buffer.start:
            buffer.first = line
        buffer.end = max(buffer.end, end)
        buffer.first, buffer.last = min(buffer.first, line), max(buffer.last, line)
        if place + 1 < len(starts) and end > starts[place + 1]:
            other = self.known[space, starts[place + 1]]
            return (
                f"bytes {address} to {end - 1} of '{buffer.name}' reach into '{other.name}', "
                f"which begins at {other.start}"
            )
        return ""

    def table(self) -> str:
        """A line for each buffer: its bytes, and the lines between which it is alive."""
        used = sorted(self.known.values(), key=lambda b: (b.space, b.start))
        return "".join(f"  {buffer.name}: {buffer.describe()}\n" for buffer in used)
