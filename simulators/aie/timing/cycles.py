"""What the estimate of a kernel says: its cycles, and how its innermost loops run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s.simulators.aie.timing.machine import Machine
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.simulators.aie.timing.fit import Fitted


@dataclass(frozen=True)
class LoopCycles:
    """How an innermost loop runs; ``cycles`` are of all its ``entries``.

    ``interval`` is II if it is ``pipelined``, else the cycles of an iteration. ``why`` is what
    binds the interval, or why the loop is not pipelined. ``prologue`` and ``epilogue`` are the
    cycles per entry that the first vector operation waits and those after the last interval;
    ``waits`` are the cycles that an iteration loses to conflicts of memory banks.
    """

    line: int
    entries: float
    trips: float
    pipelined: bool
    interval: int
    why: str
    stages: int
    prologue: int
    epilogue: int
    operations: int
    reloads: int
    spills: int
    copies: int
    code_bytes: int
    cycles: float
    waits: float = 0.0


@dataclass(frozen=True)
class LoopSchedule:
    """How an iteration of the innermost loop of ``line``, or code without one, is scheduled."""

    line: int
    fitted: Fitted
    pipelined: bool
    is_loop: bool = True


@dataclass(frozen=True)
class Cycles:
    """The estimate of a kernel; ``code_bytes`` are to be compared with the program memory.

    Without registers for all values (``fits``) the cycles are too few.
    """

    total: int
    loops: tuple[LoopCycles, ...]
    code_bytes: int
    machine: Machine
    fits: bool = True
    schedules: tuple[LoopSchedule, ...] = ()
