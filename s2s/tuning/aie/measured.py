"""A mapping measured: compiled, printed, and the text simulated."""

from __future__ import annotations

import re
from functools import cache
from math import inf
from typing import TYPE_CHECKING

from s2s.scop.contraction import Contraction
from s2s.source.diagnostics import UserError
from s2s.source.records import dataclass
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.mapping import Mapping
from s2s.tuning.aie.limited import TooLong, within

if TYPE_CHECKING:
    from s2s.scop.vector_kernel import Kernel
    from s2s.simulators.aie.timing.machine import Machine

PROGRAM_BYTES = 16 * 1024
LONGEST = 8.0
"""Seconds that one kernel may take."""


LONGEST_TEXT = 120_000
"""Characters of a kernel that the simulator, values and cycles, needs about two seconds for."""
MOST_SPILLS = 200
"""Registers stored and loaded that are found in about this time, some in each of many rounds."""
_AT_LEAST = "at least"
_TOO_LONG = "a text"


@dataclass(frozen=True)
class Measured:
    """What the simulator says about a kernel, or why there is none (``failure``).

    ``interval`` is the initiation interval of the loop that takes longest and ``limit`` what binds
    it; ``code_bytes`` are 0 for what was not simulated to its end; ``lines`` are the kernel's
    without blank ones and comments; ``bytes_moved`` are those of all arrays, once. ``stalls`` are
    the cycles among them that memory banks cost, ``packed`` the bytes of images and outputs that
    are brought into another layout around each run (weights are packed once).
    """

    cycles: int = 0
    interval: int = 0
    limit: str = ""
    spills: int = 0
    code_bytes: int = 0
    lines: int = 0
    bytes_moved: int = 0
    failure: str = ""
    stalls: int = 0
    packed: int = 0

    @property
    def is_good(self) -> bool:
        """Whether there is a kernel that fits the machine."""
        return not self.failure

    @property
    def is_passed_over(self) -> bool:
        """Whether it was not simulated because another one was as good; ``cycles`` are a bound."""
        return self.failure.startswith(_AT_LEAST)

    @property
    def is_too_long(self) -> bool:
        """Whether it is no kernel for its length; shorter ones of its kind may be good."""
        return self.failure.startswith(_TOO_LONG)


def measure(
    contraction: Contraction, mapping: Mapping, below: int = 0, seconds: float = LONGEST
) -> Measured:
    """Compile, print and simulate; what cannot be is in ``failure``.

    A kernel that cannot take less than ``below`` cycles (if not 0) is not simulated. What takes
    longer than ``seconds`` (a body too large for its schedule to be found) is given up, and so is
    what takes longer than two to simulate, unless it is one of the paper's own mappings.
    """
    try:
        with within(seconds):
            return _measured(contraction, mapping, below)
    except TooLong:
        return Measured(failure=f"no schedule within {seconds:g} seconds")


def kernel_text(contraction: Contraction, mapping: Mapping) -> str:
    """The kernel of a mapping. Raises Unmappable."""
    from s2s.emitters.aie.kernel import emit
    from s2s.transforms.aie.compile import compile_contraction

    return emit(compile_contraction(contraction, mapping).kernel)


def _measured(contraction: Contraction, mapping: Mapping, below: int) -> Measured:
    from s2s.emitters.aie.kernel import emit
    from s2s.simulators.aie.reading.read import read
    from s2s.simulators.aie.timing.estimate import NotBelow, estimate
    from s2s.transforms.aie.compile import compile_contraction
    from s2s.tuning.aie.bound import least

    try:
        kernel = compile_contraction(contraction, mapping).kernel
        bound = least(kernel, machine())
        if below and bound >= below:
            return _passed_over(bound)
        moved = sum(a.size * a.type.bits // 8 for a in kernel.arrays)
        text = emit(kernel)
        if len(text) > LONGEST_TEXT and not mapping.paper:
            return Measured(failure=f"{_TOO_LONG} of more than {LONGEST_TEXT} characters")
        program = read(text, f"{contraction.name}.cc")
        found = estimate(program, machine(), below=below or inf)
    except NotBelow:
        return _passed_over(below)
    except Unmappable as error:
        return Measured(failure=str(error))
    except UserError as error:
        return Measured(failure="; ".join(d.text for d in error.diagnostics))
    if not found.fits:
        said = "no registers were found for all values"
        return Measured(failure=said, code_bytes=found.code_bytes)
    if found.code_bytes > PROGRAM_BYTES:
        said = f"the code has {found.code_bytes} bytes, the program memory has {PROGRAM_BYTES}"
        return Measured(failure=said, code_bytes=found.code_bytes)
    spills = sum(loop.spills + loop.reloads for loop in found.loops)
    if spills > MOST_SPILLS and not mapping.paper:
        return Measured(failure=f"{_TOO_LONG} of more than {MOST_SPILLS} spills")
    longest = max(found.loops, key=lambda loop: loop.cycles, default=None)
    return Measured(
        round(found.total),
        longest.interval if longest else 0,
        longest.why if longest else "",
        spills,
        found.code_bytes,
        source_lines(text),
        moved,
        stalls=round(sum(loop.entries * loop.trips * loop.waits for loop in found.loops)),
        packed=packed_bytes(kernel, contraction),
    )


def packed_bytes(kernel: Kernel, contraction: Contraction) -> int:
    """Bytes of a kernel's arrays, weights apart, that are not in the program's own layout."""
    weight = contraction.weight.array.name
    return sum(
        a.size * a.type.bits // 8
        for a in kernel.arrays
        if a.name != weight and not a.is_natural and a.source.data is None
    )


def _passed_over(bound: int) -> Measured:
    return Measured(bound, failure=f"{_AT_LEAST} {bound} cycles, as another mapping")


@cache
def machine() -> Machine:
    """The machine that kernels are measured on."""
    from s2s.simulators.aie.timing.machine import load

    return load()


def source_lines(text: str) -> int:
    """Lines of C or C++ that are neither blank nor only comments."""
    plain = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    plain = re.sub(r"//[^\n]*", "", plain)
    return sum(1 for line in plain.splitlines() if line.strip())
