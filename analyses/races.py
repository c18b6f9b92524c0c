"""Data races: accesses that surely conflict and that happens-before does not order."""

from __future__ import annotations

import islpy as isl

from s2s.analyses.dependences import certain_conflicts, sequential_order
from s2s.analyses.happens_before import HappensBefore
from s2s.scop.nodes import Scop


def unordered_conflicts(scop: Scop, order: HappensBefore) -> isl.UnionMap:
    """Pairs of instances that race, the first one not later in the sequential order.

    An instance that several threads execute may race with itself.
    """
    certain = certain_conflicts(scop)
    free = sequential_order(scop).subtract(order.relation)
    return certain.intersect(free.union(order.repeated)).coalesce()
