"""Lines of a grid that are solved one by one, in groups: each line is a lane of vectors.

::

    void solve(void) {                           for j (shared): for groups of eight k: {
        blocks();      // for j, k: for i            double a_lanes[n][5][5][8], ...;
        eliminate();   // for i: for j, k    ->      for i: for lane: a_lanes[i][r][c][lane] = ...
        substitute();  // for i: for j, k            for i: eliminate_lanes(a_lanes[i], ...);
    }                                                for i, lane: x[i][j][k + lane] = ...; }

Where points have small blocks of numbers, the solver's inner loops are too short for vectors, and
neighbouring lines are too far apart. The loops over lines of all functions that a solver calls are
fused and go outside (A. Nuzman and A. Zaks, "Outer-loop vectorization: revisited for short SIMD
architectures", 2008); arrays of blocks shrink from the grid to a group of lines, lanes last
(contraction, V. Sarkar and G. R. Gao, "Optimization of array accesses by collective loop
transformations", 1991), and are written back where anybody may read them. Each line computes what
it did, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import ClassVar

from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Function
from s2s.rewriters.line_groups.reading import Loop, Reader
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.source import Edit
from s2s.source.flags import is_c90
from s2s.source.records import dataclass


@dataclass(frozen=True)
class LineLanes(TextPass):
    """The pass: ``vector`` are the bytes of the widest vectors."""

    name: ClassVar[str] = "line-lanes"
    vector: int = field(default=64, metadata={"help": "bytes of the widest vector", "least": 16})

    def edits(self, function: Function, done: Sequence[Edit]) -> Iterator[Rewrite]:
        """The regions that a function has the first loop of, if lines there are independent."""
        if not _may_begin(function):
            return
        from s2s.rewriters.line_groups.rewriting import rewrites  # isl is not needed before

        yield from rewrites(function, done, self.vector)


def _may_begin(function: Function) -> bool:
    """Whether a function is loops over straight code, which is seen without other functions."""
    unit = function.unit
    if is_c90(unit.flags) or unit.is_cxx or len(function.node.children) > 1:
        return False
    try:
        scope = Reader(lambda name: None).read(function)
    except NotLiftable:
        return False
    return any(isinstance(item, Loop) for item in scope.body)
