"""Data races: accesses that surely conflict and that happens-before does not order."""

from __future__ import annotations

import islpy as isl

from s2s.analyses.dependences import by_statements, certain_conflicts
from s2s.analyses.happens_before import HappensBefore, compute
from s2s.scop.nodes import Scop


def unordered_conflicts(certain: isl.UnionMap, order: HappensBefore) -> isl.UnionMap:
    """The ``certain`` conflicts that race, the first instance not later in the sequential order.

    An instance that several threads execute may race with itself.
    """
    free = order.serial.restrict_all(certain.intersect(order.unordered))
    return free.union(certain.intersect(order.repeated)).coalesce()


def certain_races(scop: Scop) -> isl.UnionMap:
    """The same, without the order of what does not conflict."""
    certain = certain_conflicts(scop)
    pairs = by_statements(certain).keys()
    if not pairs:
        return certain
    return unordered_conflicts(certain, compute(scop, pairs))
