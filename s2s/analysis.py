"""What the passes are told of a region: algorithm 1 of the PoPP chapter."""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl

from s2s.analyses import dependences, happens_before
from s2s.analyses.guards import fold_guards
from s2s.analyses.races import unordered_conflicts
from s2s.scop.nodes import Construct, Scop, walk


@dataclass(frozen=True)
class Analysis:
    """What the analyses say of a region; ``whole`` still has its pseudo statements.

    ``conservative`` are the dependences of the serial program, ``happens_before`` is the order
    that OpenMP gives, None where it is the serial one. ``pruned`` are the dependences that a
    schedule has to respect, and ``races`` exact ones that nothing orders.
    """

    whole: Scop
    scop: Scop
    conservative: isl.UnionMap
    happens_before: isl.UnionMap | None
    pruned: isl.UnionMap
    races: isl.UnionMap

    @property
    def ordered(self) -> isl.UnionMap:
        """What happens before what."""
        if self.happens_before is None:
            return dependences.sequential_order(self.whole)
        return self.happens_before


def analyse(scop: Scop, *, explicit: bool = True) -> Analysis:
    """P, HB, and P' = P intersected with HB; without ``explicit`` HB is the serial order."""
    found = dependences.conservative(scop)
    if explicit and any(isinstance(n, Construct) for n in walk(scop.tree)):
        order = happens_before.compute(scop)
        pruned = found.all.intersect(order.relation).coalesce()
        # A race is not parallelism that the source has declared: it stays a dependence.
        kept = pruned.union(found.exact.subtract(order.relation)).coalesce()
        races = unordered_conflicts(scop, order)
        reduced, kept = fold_guards(scop, kept)
        return Analysis(scop, reduced, found.all, order.relation, kept, races)
    nothing = isl.UnionMap.empty(found.all.get_space())
    reduced, kept = fold_guards(scop, found.all)
    return Analysis(scop, reduced, found.all, None, kept, nothing)
