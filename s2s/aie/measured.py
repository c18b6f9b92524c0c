"""A mapping measured: compiled, printed, and the text simulated."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import TYPE_CHECKING, NoReturn

from s2s.diagnostics import UserError
from s2s.scop.contraction import Contraction
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.mapping import Mapping

if TYPE_CHECKING:
    from s2s.simulators.aie.timing.machine import Machine

PROGRAM_BYTES = 16 * 1024
LONGEST = 8.0
"""Seconds that one kernel may take."""


_AT_LEAST = "at least"


@dataclass(frozen=True)
class Measured:
    """What the simulator says about a kernel, or why there is none (``failure``).

    ``interval`` is the initiation interval of the loop that takes longest and ``limit`` what binds
    it; ``lines`` are the kernel's without blank ones and comments; ``bytes_moved`` are those of
    all arrays, once.
    """

    cycles: int = 0
    interval: int = 0
    limit: str = ""
    spills: int = 0
    code_bytes: int = 0
    lines: int = 0
    bytes_moved: int = 0
    failure: str = ""

    @property
    def is_good(self) -> bool:
        """Whether there is a kernel that fits the machine."""
        return not self.failure

    @property
    def is_passed_over(self) -> bool:
        """Whether it was not simulated because another one was as good; ``cycles`` are a bound."""
        return self.failure.startswith(_AT_LEAST)


class _TooLong(Exception):
    """A kernel takes longer than it may to be made and simulated."""


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Raises _TooLong in the body once it has computed so long; in a main thread only."""

    def stop(signal_: int, frame: object) -> NoReturn:
        raise _TooLong

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def measure(
    contraction: Contraction, mapping: Mapping, below: int = 0, seconds: float = LONGEST
) -> Measured:
    """Compile, print and simulate; what cannot be is in ``failure``.

    A kernel that cannot take less than ``below`` cycles (if not 0) is not simulated. What takes
    longer than ``seconds`` (a body too large for its schedule to be found) is given up.
    """
    try:
        with _within(seconds):
            return _measured(contraction, mapping, below)
    except _TooLong:
        return Measured(failure=f"no schedule within {seconds:g} seconds")


def _measured(contraction: Contraction, mapping: Mapping, below: int) -> Measured:
    from s2s.aie.estimate import least
    from s2s.emitters.aie.kernel import emit
    from s2s.simulators.aie.reading.read import read
    from s2s.simulators.aie.timing.estimate import NotBelow, estimate
    from s2s.transforms.aie.compile import compile_contraction

    try:
        kernel = compile_contraction(contraction, mapping).kernel
        bound = least(kernel, _machine())
        if below and bound >= below:
            return _passed_over(bound)
        moved = sum(a.size * a.type.bits // 8 for a in kernel.arrays)
        text = emit(kernel)
        program = read(text, f"{contraction.name}.cc")
        found = estimate(program, _machine(), below=below or inf)
    except NotBelow:
        return _passed_over(below)
    except Unmappable as error:
        return Measured(failure=str(error))
    except UserError as error:
        return Measured(failure="; ".join(d.text for d in error.diagnostics))
    if found.code_bytes > PROGRAM_BYTES:
        said = f"the code has {found.code_bytes} bytes, the program memory has {PROGRAM_BYTES}"
        return Measured(failure=said)
    longest = max(found.loops, key=lambda loop: loop.cycles, default=None)
    return Measured(
        round(found.total),
        longest.interval if longest else 0,
        longest.why if longest else "",
        sum(loop.spills + loop.reloads for loop in found.loops),
        found.code_bytes,
        source_lines(text),
        moved,
    )


def _passed_over(bound: int) -> Measured:
    return Measured(bound, failure=f"{_AT_LEAST} {bound} cycles, as another mapping")


@cache
def _machine() -> Machine:
    from s2s.simulators.aie.timing.machine import load

    return load()


def source_lines(text: str) -> int:
    """Lines of C or C++ that are neither blank nor only comments."""
    plain = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    plain = re.sub(r"//[^\n]*", "", plain)
    return sum(1 for line in plain.splitlines() if line.strip())
