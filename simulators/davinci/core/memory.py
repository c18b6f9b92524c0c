"""The core's memories: bytes, which of them have a value, and arrays in global memory."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import numpy as np

from s2s.simulators.davinci.kinds import NUMPY

Words = np.ndarray[Any, Any]


class Spans:
    """Disjoint intervals of bytes, all of which have a value; those that touch are one."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []

    def covers(self, low: int, high: int) -> bool:
        k = bisect_right(self.starts, low) - 1
        return k >= 0 and high <= self.ends[k]

    def add(self, low: int, high: int) -> None:
        k = bisect_right(self.starts, low) - 1
        if k >= 0 and low <= self.ends[k]:
            if high <= self.ends[k]:
                return
            low = self.starts[k]
        else:
            k += 1
        last = bisect_right(self.starts, high)
        if last > k:
            high = max(high, self.ends[last - 1])
        self.starts[k:last] = [low]
        self.ends[k:last] = [high]

    def remove(self, low: int, high: int) -> None:
        k = bisect_right(self.starts, low) - 1
        if k < 0 or self.ends[k] <= low:
            k += 1
        last = bisect_right(self.starts, high - 1)
        if last <= k:
            return
        first, end = self.starts[k], self.ends[last - 1]
        pairs = [(a, b) for a, b in ((first, low), (high, end)) if a < b]
        self.starts[k:last] = [a for a, _ in pairs]
        self.ends[k:last] = [b for _, b in pairs]


class Memory:
    """A buffer of the core. ``defined`` has a flag for every two bytes.

    Words that no instruction has given a value are undefined, and so are those that the machine
    leaves in rows after the last window.
    """

    def __init__(self, space: str, size: int) -> None:
        self.space = space
        self.size = size
        self.bytes = np.zeros(size, np.uint8)
        self.defined = np.zeros(size // 2, bool)
        self.spans = Spans()
        self._views = {name: self.bytes.view(name) for name in set(NUMPY.values())}

    def view(self, element: str) -> Words:
        """All of it as elements of a type."""
        return self._views[NUMPY[element]]

    def define(self, low: int, high: int) -> None:
        """Bytes of an interval have values now."""
        if not self.spans.covers(low, high):
            self.defined[low // 2 : (high + 1) // 2] = True
            self.spans.add(low, high)

    def define_at(self, halves: Words, low: int, high: int) -> None:
        """Pairs of bytes within an interval have values now."""
        if not self.spans.covers(low, high):
            self.defined[halves] = True
            if self.defined[low // 2 : (high + 1) // 2].all():
                self.spans.add(low, high)

    def poison(self, low: int, high: int) -> None:
        """Bytes of an interval have no value any more."""
        self.defined[low // 2 : (high + 1) // 2] = False
        self.spans.remove(low, high)

    def is_defined(self, halves: Words, low: int, high: int) -> bool:
        return self.spans.covers(low, high) or bool(self.defined[halves].all())

    def is_whole(self, low: int, high: int) -> bool:
        """Whether every byte of an interval has a value."""
        return self.spans.covers(low, high) or bool(self.defined[low // 2 : (high + 1) // 2].all())


BASE = 40
"""Addresses of the k-th array in global memory begin at (k + 1) << BASE."""


class Array:
    """An array in global memory; of one whose extent nobody gave, as much as the program reads.

    What is read there is random, from the seed, the same however it grows.
    """

    def __init__(self, name: str, element: str, values: Words | None, fixed: bool) -> None:
        self.name = name
        self.element = element
        kind = np.dtype(NUMPY[element])
        given = np.zeros(0, kind) if values is None else np.ascontiguousarray(values, kind).ravel()
        self.bytes = given.view(np.uint8).copy()
        self.fixed = fixed
        self.written = False
        self._writers = np.zeros(0, np.int16)

    def grow(self, end: int, seed: int) -> None:
        """Make sure of so many bytes."""
        step = 1 << 16
        while len(self.bytes) < end:
            part = len(self.bytes) // step
            source = np.random.default_rng([seed, part, *self.name.encode()])
            kind = np.dtype(NUMPY[self.element])
            count = step // kind.itemsize
            made = source.integers(-64, 64, count)
            values = made / 16 if kind.kind == "f" else made & 63
            self.bytes = np.concatenate([self.bytes, values.astype(kind).view(np.uint8)])

    def read_after(self, where: Any, block: int) -> tuple[int, int] | None:
        """A byte that another block wrote, of those at ``where``, and that block; None if none."""
        writers = self._known_writers()[where]
        others = np.flatnonzero((writers != 0) & (writers != block + 1))
        if not others.size:
            return None
        return int(np.arange(len(self.bytes))[where][others[0]]), int(writers[others[0]]) - 1

    def store(self, where: Any, values: Words, block: int) -> tuple[int, int] | None:
        """Write bytes; one for which another block has another value, and that block."""
        same = self.bytes[where] == values
        found = (
            None if same.all() else self.read_after(np.arange(len(self.bytes))[where][~same], block)
        )
        self.bytes[where] = values
        self._known_writers()[where] = block + 1
        return found

    def _known_writers(self) -> Words:
        """For each byte the number of the block that wrote it, from 1 on; 0 for none."""
        missing = len(self.bytes) - len(self._writers)
        if missing:
            self._writers = np.concatenate([self._writers, np.zeros(missing, np.int16)])
        return self._writers

    def values(self) -> Words:
        """The elements."""
        whole = len(self.bytes) // np.dtype(NUMPY[self.element]).itemsize
        kind = np.dtype(NUMPY[self.element])
        return self.bytes[: whole * kind.itemsize].view(kind)
