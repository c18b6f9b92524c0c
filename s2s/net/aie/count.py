"""The cycles that the simulator finds for a kernel's text, for plans that rank kernels by them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from s2s.emitters.aie.kernel import emit
from s2s.source.diagnostics import UserError

if TYPE_CHECKING:
    from s2s.scop.vector_kernel import Kernel

_LONGEST = 60_000
"""Characters of a text that is looked at: the simulator needs a second for as many."""


def count_cycles(kernel: Kernel) -> float | None:
    """The cycles of a kernel's text; None where it is none for the machine, or a very long one."""
    return _cycles(emit(kernel))


@lru_cache(maxsize=256)
def _cycles(text: str) -> float | None:
    from s2s.simulators.aie.reading.read import read
    from s2s.simulators.aie.timing.estimate import estimate
    from s2s.simulators.aie.timing.machine import load

    if len(text) > _LONGEST:
        return None
    machine = load()
    try:
        found = estimate(read(text, "tile.cc"), machine)
    except UserError:
        return None
    if not found.fits or found.code_bytes > machine["program_memory"]:
        return None
    return float(found.total)
