"""Arrays on the stack, as C declares them.

gcc 12 vectorizes what is left of a loop over a row with vectors of half the width, and takes the
array for aligned to them without aligning it (``-O1`` and ``-O2`` with AVX-512, where the loop is
``omp simd``): an aligned store of 32 bytes dies where the caller's stack is aligned to 16. Memory
that its declaration aligns is aligned; copies that OpenMP makes of it for threads are, too.
"""

from __future__ import annotations

ALIGNMENT = "__attribute__((aligned(64)))"
"""In all of C90 to C23 and C++ without a warning, with gcc and with clang."""
LEAST_BYTES = 32
"""Smaller arrays have no place for a vector that needs more than every stack gives."""


def on_stack(declarator: str, size: int | None = None) -> str:
    """The declaration of an array, ``size`` bytes long if that is known, aligned for vectors."""
    small = size is not None and size < LEAST_BYTES
    return f"{declarator};" if small else f"{declarator} {ALIGNMENT};"
