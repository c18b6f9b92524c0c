"""What a pass returns."""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl

from s2s.scop.nodes import Scop


@dataclass(frozen=True)
class Transformed:
    """A SCoP with a new schedule, and for which sizes it is expected to be faster.

    Where ``minimum_per_thread`` is set, the outermost loop has to run that often for each thread
    to be worth it.
    """

    scop: Scop
    profitable: isl.Set
    minimum_per_thread: int = 0
