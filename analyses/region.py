"""What the passes are told of a region: algorithm 1 of the PoPP chapter."""

from __future__ import annotations

import islpy as isl

from s2s.analyses import dependences, happens_before
from s2s.analyses.dependences import by_statements, certain_conflicts
from s2s.analyses.guards import fold_guards
from s2s.analyses.races import unordered_conflicts
from s2s.scop.nodes import Construct, Scop, walk
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Analysis:
    """What the analyses say of a region; ``whole`` still has its pseudo statements.

    ``conservative`` are the dependences of the serial program, ``explicit`` says whether OpenMP
    gives another order. ``pruned`` are the dependences that a schedule has to respect, and
    ``races`` exact ones that nothing orders.
    """

    whole: Scop
    scop: Scop
    conservative: isl.UnionMap
    explicit: bool
    pruned: isl.UnionMap
    races: isl.UnionMap

    @property
    def ordered(self) -> isl.UnionMap:
        """What happens before what."""
        if self.explicit:
            return happens_before.compute(self.whole).relation
        return dependences.sequential_order(self.whole)


def analyse(scop: Scop, *, explicit: bool = True) -> Analysis:
    """P, HB, and P' = P intersected with HB; without ``explicit`` HB is the serial order."""
    serial = dependences.SerialOrder(scop)
    found = dependences.conservative(scop, serial)
    if explicit and any(isinstance(n, Construct) for n in walk(scop.tree)):
        certain = certain_conflicts(scop)
        pairs = by_statements(found.all).keys() | by_statements(certain).keys()
        order = happens_before.compute(scop, pairs, serial)
        pruned = found.all.subtract(order.unordered).coalesce()
        # A race is not parallelism that the source has declared: it stays a dependence.
        kept = pruned.union(found.exact.intersect(order.unordered)).coalesce()
        races = unordered_conflicts(certain, order)
        reduced, kept = fold_guards(scop, kept)
        return Analysis(scop, reduced, found.all, True, kept, races)
    nothing = isl.UnionMap.empty(found.all.get_space())
    reduced, kept = fold_guards(scop, found.all)
    return Analysis(scop, reduced, found.all, False, kept, nothing)
