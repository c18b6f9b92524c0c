"""When operations of an accelerator run: an affine cycle for each of their iterations."""

from __future__ import annotations

from collections.abc import Mapping

from s2s.source.records import dataclass


@dataclass(frozen=True)
class Term:
    """A part of a sum of cycles, with its name: ``2 rows of 64`` is Term("rows", 128, "2*64")."""

    name: str
    cycles: int
    shown: str


@dataclass(frozen=True)
class Start:
    """Iteration ``(i_0, ..., i_n)`` (outermost first, counted from 0) reads its operands in cycle
    ``offset + sum(strides[k] * i_k)``; its value is there ``latency`` cycles later, and an
    operation that starts in that cycle can read it.
    """

    offset: int
    strides: tuple[int, ...]
    extents: tuple[int, ...]
    latency: int = 0

    @property
    def last(self) -> int:
        """The cycle in which the last iteration's value is there."""
        pairs = zip(self.strides, self.extents, strict=True)
        return self.offset + sum(s * (e - 1) for s, e in pairs) + self.latency


@dataclass(frozen=True)
class CycleSchedule:
    """A start for each operation, by name, and why it is not earlier.

    ``terms`` add up to an operation's offset. ``rule`` names the way in which the schedule was
    found ("stencil", "coarse-grained pipeline", "sequential"). ``total`` are the terms of the
    latency of the last output; what feeds no output may end later, and is in ``cycles`` only.
    """

    starts: Mapping[str, Start]
    terms: Mapping[str, tuple[Term, ...]]
    rule: str
    total: tuple[Term, ...]

    @property
    def cycles(self) -> int:
        """From the first cycle (0) to the one after the last value."""
        return max(s.last for s in self.starts.values()) + 1
