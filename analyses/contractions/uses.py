"""Where a program's loops touch an array."""

from __future__ import annotations

from s2s.analyses.contractions.linear import Affine
from s2s.scop.contraction import Array
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Use:
    """``array[subscripts]`` in the program's loops, each counted from 0."""

    array: Array
    subscripts: tuple[Affine, ...]

    def coefficients(self, loop: str) -> tuple[int, ...]:
        """A loop's coefficient in each dimension."""
        return tuple(s.coefficient(loop) for s in self.subscripts)

    @property
    def loops(self) -> frozenset[str]:
        """The loops that occur."""
        return frozenset(n for s in self.subscripts for n in s.terms)
