"""Whether a team of threads that is formed elsewhere shares all of the new code."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.emitters.c.blocks import OPEN

_SHARED = "#pragma omp for"


def are_shared(lines: Sequence[str]) -> bool:
    """Whether a team shares the loops around all statements of a text; loops are indented."""
    around: int | None = None
    after = False
    for line in lines:
        if line.lstrip().startswith("#"):
            after = line.startswith(_SHARED)
            continue
        margin = len(line) - len(line.lstrip())
        if around is not None and margin <= around:
            around = None
        if after and around is None:
            around = margin
        after = False
        if OPEN in line and (around is None or margin <= around):
            return False
    return True
