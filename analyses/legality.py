"""Proof that a schedule respects dependences, made from the original accesses.

This module chooses nothing. It takes the dependences of the source and the final time vectors, and
answers with the pairs that the new order breaks; an empty answer is the proof.
"""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl

from s2s.scop.nodes import Scop
from s2s.scop.schedule import Parallelism, Role, Schedule


@dataclass(frozen=True)
class Violation:
    """Dependences that a schedule does not respect, and by what."""

    pairs: isl.UnionMap
    reason: str


def check(scop: Scop, dependences: isl.UnionMap) -> Violation | None:
    """The first violation of a SCoP's target schedule, None when it is legal."""
    schedule = scop.target
    if schedule is None:
        return None
    if scop.reuse is not None:
        dependences = dependences.union(scop.reuse)
    for position, dimension in enumerate(schedule.dimensions):
        parallel = dimension.parallelism is Parallelism.DOALL and dimension.statements is None
        pipelined = dimension.parallelism.waits
        if dimension.elastic and not pipelined and (position or not parallel):
            return Violation(dependences, "strips of any width are not parallel loops")
    unscheduled = scop.domain().intersect_params(scop.context).subtract(schedule.union().domain())
    if not unscheduled.is_empty():
        return Violation(dependences, "the schedule does not cover all instances")
    times = schedule.union().intersect_domain(scop.domain())
    relation = dependences.intersect_domain(scop.domain()).intersect_range(scop.domain())
    distances = relation.apply_domain(times).apply_range(times)
    found = _check_order(distances, schedule, dependences)
    return found or _check_parts(scop, relation, times, schedule)


def _check_parts(
    scop: Scop, relation: isl.UnionMap, times: isl.UnionMap, schedule: Schedule
) -> Violation | None:
    """Loops that are parallel for some statements only."""
    for position, dimension in enumerate(schedule.dimensions):
        if dimension.statements is None or dimension.parallelism is Parallelism.NONE:
            continue
        among = isl.UnionSet.empty(scop.domain().get_space())
        for name in dimension.statements:
            among = among.union(isl.UnionSet.from_set(scop.statement(name).domain))
        inside = relation.intersect_domain(among).intersect_range(among)
        timed = inside.apply_domain(times).apply_range(times)
        if not timed.is_empty() and _carries(isl.Map.from_union_map(timed), position):
            kind = dimension.parallelism.value
            return Violation(relation, f"a {kind} loop carries a dependence")
    return None


def keeps_instances(before: Scop, after: Scop, instances: isl.UnionMap) -> bool:
    """Whether a relation leads from all instances of one SCoP to all of another, one to one."""
    exact = instances.domain().is_equal(before.domain()) and instances.range().is_equal(
        after.domain()
    )
    return exact and instances.is_bijective()


def _check_order(
    timed: isl.UnionMap, schedule: Schedule, dependences: isl.UnionMap
) -> Violation | None:
    length = len(schedule.dimensions)
    if timed.is_empty():
        return None
    relation = isl.Map.from_union_map(timed)
    backwards = isl.Map.lex_ge(relation.get_space().domain())
    if not relation.intersect(backwards).is_empty():
        return Violation(dependences, "a dependence goes backwards in time")
    pipelined = [i for i, d in enumerate(schedule.dimensions) if d.parallelism.waits]
    for position in pipelined:
        if _some_negative(relation, position):
            return Violation(dependences, "a dependence goes against a pipelined loop")
        if schedule.dimensions[position].elastic and not _ordered_without(relation, position):
            return Violation(dependences, "a strip's width would decide on the order")
    for position in range(length):
        kind = schedule.dimensions[position].parallelism
        if schedule.dimensions[position].statements is not None:
            continue
        if kind in (Parallelism.DOALL, Parallelism.SIMD) and _carries(relation, position):
            return Violation(dependences, f"a {kind.value} loop carries a dependence")
    return None


def _ordered_without(relation: isl.Map, position: int) -> bool:
    """Whether the other entries alone order all pairs: those of one strip, however wide."""
    for side in (isl.dim_type.in_, isl.dim_type.out):
        relation = relation.project_out(side, position, 1)
    return bool(relation.is_subset(isl.Map.lex_lt(relation.get_space().domain())))


def _some_negative(relation: isl.Map, position: int) -> bool:
    """Whether a dependence's distance along a dimension can be negative."""
    space = relation.get_space()
    smaller = isl.Map.universe(space).order_gt(
        isl.dim_type.in_, position, isl.dim_type.out, position
    )
    return not relation.intersect(smaller).is_empty()


def _carries(relation: isl.Map, position: int) -> bool:
    """Whether a dependence has distance zero outside and another one at a dimension."""
    for outer in range(position):
        relation = relation.equate(isl.dim_type.in_, outer, isl.dim_type.out, outer)
    return any(
        not relation.intersect(different).is_empty()
        for different in _different(relation.get_space(), position)
    )


def _different(space: isl.Space, position: int) -> tuple[isl.Map, isl.Map]:
    """Pairs that differ along a dimension, in one direction and in the other."""
    side = isl.dim_type.in_, position, isl.dim_type.out, position
    return isl.Map.universe(space).order_lt(*side), isl.Map.universe(space).order_gt(*side)


def permutable_band(scop: Scop, dependences: isl.UnionMap) -> int:
    """How many leading BAND dimensions no dependence goes back along."""
    schedule = scop.target
    if schedule is None:
        return 0
    times = schedule.union().intersect_domain(scop.domain())
    timed = dependences.apply_domain(times).apply_range(times)
    count = 0
    for position, dimension in enumerate(schedule.dimensions):
        if dimension.role is not Role.BAND:
            continue
        if not timed.is_empty() and _some_negative(isl.Map.from_union_map(timed), position):
            break
        count += 1
    return count
