"""What a pass returns."""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl

from s2s.scop.nodes import Scop


@dataclass(frozen=True)
class Transformed:
    """A SCoP with a new schedule, and when it is expected to be faster.

    ``profitable`` is a set of parameters. ``per_thread`` are pairs of an extent and how much of it
    each thread has to get; ``least_bytes`` is how much memory the arrays of the region have to span
    for locality to matter. ``instances`` leads from the statement instances that the pass was
    given to those of ``scop``, where it has split statements.
    """

    scop: Scop
    profitable: isl.Set
    per_thread: tuple[tuple[isl.PwAff, int], ...] = ()
    least_bytes: int = 0
    instances: isl.UnionMap | None = None
