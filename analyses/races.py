"""Data races: accesses that surely conflict and that happens-before does not order."""

from __future__ import annotations

import islpy as isl

from s2s.analyses.dependences import by_statements, certain_conflicts, sequential_order
from s2s.analyses.happens_before import HappensBefore, compute
from s2s.scop.nodes import Scop


def unordered_conflicts(scop: Scop, order: HappensBefore) -> isl.UnionMap:
    """Pairs of instances that race, the first one not later in the sequential order.

    An instance that several threads execute may race with itself.
    """
    return _unordered(scop, certain_conflicts(scop), order)


def certain_races(scop: Scop) -> isl.UnionMap:
    """The same, without the order of what does not conflict."""
    certain = certain_conflicts(scop)
    pairs = by_statements(certain).keys()
    if not pairs:
        return certain
    return _unordered(scop, certain, compute(scop, pairs))


def _unordered(scop: Scop, certain: isl.UnionMap, order: HappensBefore) -> isl.UnionMap:
    free = sequential_order(scop).subtract(order.relation)
    return certain.intersect(free.union(order.repeated)).coalesce()
