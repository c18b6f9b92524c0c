"""Renaming of variables (SoVR, SiVR), statement reordering and distribution in strips."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.transforms.vector.candidate import Candidate, VectorLoop


def propose(loop: VectorLoop) -> Iterator[Candidate]:
    """Not there yet: nothing is proposed."""
    loop.single()
    yield from ()
