"""Proof that a schedule respects dependences, made from the original accesses.

This module chooses nothing. It takes the dependences of the source and the final time vectors, and
answers with the pairs that the new order breaks; an empty answer is the proof.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from operator import is_

import islpy as isl

from s2s.analyses import register_tiles, teams
from s2s.analyses.dependences import by_statements
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Parallelism, Role, Schedule
from s2s.source.records import dataclass


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
    for position, dimension in enumerate(schedule.dimensions):
        parallel = dimension.parallelism is Parallelism.DOALL and dimension.statements is None
        pipelined = dimension.parallelism.waits
        if dimension.elastic and not pipelined and (position or not parallel):
            return Violation(dependences, "strips of any width are not parallel loops")
    unscheduled = scop.domain().intersect_params(scop.context).subtract(schedule.union().domain())
    if not unscheduled.is_empty():
        return Violation(dependences, "the schedule does not cover all instances")
    timed = _timed(scop, dependences, scop.reuse)
    found = _check_order(timed, schedule) or _check_parts(scop, timed, schedule)
    if found is None and schedule.team is not None:
        why = teams.obstacle(scop, timed.pairs)
        return None if why is None else Violation(dependences, why)
    if found is None and schedule.shared is not None and not _apart(timed, schedule):
        return Violation(dependences, "an element may change between two uses of its load")
    if found is None and schedule.tile is not None:
        why = register_tiles.obstacle(scop, schedule.tile)
        return None if why is None else Violation(dependences, why)
    return found


@dataclass(frozen=True, eq=False)
class _Timed:
    """Dependent instances as ``pairs``, and the pairs of their time vectors.

    ``given`` is the object that the dependences came as.
    """

    pairs: isl.UnionMap
    times: isl.UnionMap
    given: isl.UnionMap

    @cached_property
    def relation(self) -> isl.Map | None:
        """None where there are no pairs."""
        timed = self.pairs.apply_domain(self.times).apply_range(self.times)
        return None if timed.is_empty() else isl.Map.from_union_map(timed)

    @cached_property
    def goes_backwards(self) -> bool:
        """Whether the second of two dependent instances runs before the first, or with it.

        Piece by piece, since orders that are not legal mostly show it in one of the first; and
        before all two instances that another order has reversed, for passes try many alike.
        """
        if any(self._reverses(pair) for given, pair in _reversed if given is self.given):
            return True
        for piece in _pieces(self.pairs):
            backwards = self._backwards(isl.UnionMap.from_map(piece))
            if backwards is not None:
                self._note_reversed(isl.UnionMap.from_map(piece), backwards)
                return True
        return False

    def _reverses(self, pair: isl.UnionMap) -> bool:
        """Whether two instances are dependent here, too, and go backwards."""
        return bool(pair.is_subset(self.pairs)) and self._backwards(pair) is not None

    def _backwards(self, pairs: isl.UnionMap) -> isl.Map | None:
        """The times of those pairs that go backwards, or are at one time; None for none.

        Entry by entry, since most already differ in one of the first.
        """
        timed = pairs.apply_domain(self.times).apply_range(self.times)
        if timed.is_empty():
            return None
        together = isl.Map.from_union_map(timed)
        for position in range(together.dim(isl.dim_type.in_)):
            entry = isl.dim_type.in_, position, isl.dim_type.out, position
            backwards = together.order_gt(*entry)
            if not backwards.is_empty():
                return backwards
            together = together.equate(*entry)
        return None if together.is_empty() else together

    def _note_reversed(self, pairs: isl.UnionMap, backwards: isl.Map) -> None:
        """Keep two of the instances that go backwards."""
        times = isl.UnionMap.from_map(isl.Map.from_basic_map(backwards.sample()))
        reversed_ = self.times.apply_range(times).apply_range(self.times.reverse())
        example = pairs.intersect(reversed_).sample()
        _reversed.append((self.given, isl.UnionMap.from_basic_map(example)))


# Dependences with two instances, as a pair, that some order of late has reversed.
_reversed: deque[tuple[isl.UnionMap, isl.UnionMap]] = deque(maxlen=4)

# Passes ask about one order several times, with other loops of it in parallel.
_recent: deque[tuple[tuple[object, ...], _Timed]] = deque(maxlen=4)


def _timed(scop: Scop, dependences: isl.UnionMap, reuse: isl.UnionMap | None) -> _Timed:
    """The pairs of a SCoP's dependent instances, timed by its target schedule."""
    assert scop.target is not None
    domains = (s.domain for s in scop.statements)
    made_of = (dependences, reuse, *scop.target.maps.values(), *domains)
    for known, timed in _recent:
        if len(known) == len(made_of) and all(map(is_, known, made_of)):
            return timed
    wanted = dependences if reuse is None else dependences.union(reuse)
    pairs = _among_instances(scop.domain(), wanted).coalesce()
    timed = _Timed(pairs, scop.target.union(), dependences)
    _recent.append((made_of, timed))
    return timed


def _pieces(pairs: isl.UnionMap) -> Iterator[isl.Map]:
    """The basic maps of a relation, each as a map."""
    for relation in by_statements(pairs).values():
        yield from map(isl.Map.from_basic_map, relation.get_basic_maps())


def _among_instances(domain: isl.UnionSet, relation: isl.UnionMap) -> isl.UnionMap:
    """The pairs of a SCoP's instances: mostly all, and to see that costs less than to restrict."""
    if not relation.domain().is_subset(domain):
        relation = relation.intersect_domain(domain)
    if not relation.range().is_subset(domain):
        relation = relation.intersect_range(domain)
    return relation


def _check_parts(scop: Scop, timed: _Timed, schedule: Schedule) -> Violation | None:
    """Loops that are parallel for some statements only."""
    for position, dimension in enumerate(schedule.dimensions):
        if dimension.statements is None or dimension.parallelism is Parallelism.NONE:
            continue
        among = isl.UnionSet.empty(scop.domain().get_space())
        for name in dimension.statements:
            among = among.union(isl.UnionSet.from_set(scop.statement(name).domain))
        inside = timed.pairs.intersect_domain(among).intersect_range(among)
        relation = _Timed(inside, timed.times, timed.given).relation
        if relation is not None and _carries(relation, position):
            kind = dimension.parallelism.value
            return Violation(timed.pairs, f"a {kind} loop carries a dependence")
    return None


def keeps_instances(before: Scop, after: Scop, instances: isl.UnionMap) -> bool:
    """Whether a relation leads from all instances of one SCoP to all of another, one to one."""
    exact = instances.domain().is_equal(before.domain()) and instances.range().is_equal(
        after.domain()
    )
    return exact and instances.is_bijective()


def _check_order(timed: _Timed, schedule: Schedule) -> Violation | None:
    if timed.goes_backwards:
        return Violation(timed.pairs, "a dependence goes backwards in time")
    relation = timed.relation
    if relation is None:
        return None
    pipelined = [i for i, d in enumerate(schedule.dimensions) if d.parallelism.waits]
    for position in pipelined:
        if _some_negative(relation, position):
            return Violation(timed.pairs, "a dependence goes against a pipelined loop")
        if schedule.dimensions[position].elastic and not _ordered_without(relation, position):
            return Violation(timed.pairs, "a strip's width would decide on the order")
    for position, dimension in enumerate(schedule.dimensions):
        kind = dimension.parallelism
        if dimension.statements is not None:
            continue
        if kind in (Parallelism.DOALL, Parallelism.SIMD) and _carries(relation, position):
            return Violation(timed.pairs, f"a {kind.value} loop carries a dependence")
    return None


def _apart(timed: _Timed, schedule: Schedule) -> bool:
    """Whether no instance depends on another one of the same iteration that shares its loads."""
    relation = timed.relation
    if relation is None or schedule.shared is None:
        return True
    for position, dimension in enumerate(schedule.dimensions):
        relation = relation.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
        if dimension.name == schedule.shared.dimension:
            return bool(relation.is_empty())
    return False


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
    together = isl.Map.universe(relation.get_space())
    for outer in range(position):
        together = together.equate(isl.dim_type.in_, outer, isl.dim_type.out, outer)
    inside = relation.intersect(together)
    side = isl.dim_type.in_, position, isl.dim_type.out, position
    return not (
        inside.intersect(together.order_lt(*side)).is_empty()
        and inside.intersect(together.order_gt(*side)).is_empty()
    )


def permutable_band(scop: Scop, dependences: isl.UnionMap) -> int:
    """How many leading BAND dimensions no dependence goes back along."""
    schedule = scop.target
    if schedule is None:
        return 0
    relation = _timed(scop, dependences, None).relation
    count = 0
    for position, dimension in enumerate(schedule.dimensions):
        if dimension.role is not Role.BAND:
            continue
        if relation is not None and _some_negative(relation, position):
            break
        count += 1
    return count
