"""Value-based data flow: which write gave the value that is read.

Dependences relate all accesses to one element; here only the last write before a read counts
(Feautrier, "Dataflow analysis of array and scalar references", 1991). A write that may not happen
is taken to happen with the value that was there before, which makes it a read as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cache, cached_property
from operator import is_

import islpy as isl

from s2s.scop.nodes import Access, Scop, Statement
from s2s.source.records import dataclass

# A reader of everything, after the region.
_END = "_end"


@dataclass(frozen=True)
class Sources:
    """Of each ``[reader -> element]`` the instance that wrote the value.

    ``writes`` leads there; ``before`` are the readers and elements whose value is older than the
    region.
    """

    writes: isl.UnionMap
    before: isl.UnionMap


@dataclass(frozen=True)
class ValueFlow:
    """Where the values come from that a region reads and leaves, in its sequential order.

    Each array is looked at when somebody asks for it.
    """

    scop: Scop
    _known: dict[str, _OfArray] = field(default_factory=dict, repr=False, compare=False)

    def of(self, scop: Scop) -> ValueFlow:
        """The flow of a region that has many of the same statements."""
        return ValueFlow(scop, dict(self._known))

    def sources(self, access: Access) -> Sources:
        """Where the values come from that an access reads, or overwrites if it is a write."""
        reads = isl.UnionMap.from_map(access.relation)
        everything = self._array(access.array)
        return Sources(
            everything.writes.intersect_domain(reads.wrap()), everything.before.intersect(reads)
        )

    def last_writes(self, array: str) -> isl.UnionMap:
        """From the elements that the region writes to the instances that do so last."""
        end = isl.UnionMap.from_domain_and_range(_end(), self._written(array).range())
        writes = self._array(array).writes
        return writes.intersect_domain(end.wrap()).domain_factor_range()

    def seen_writers(self, array: str) -> isl.UnionSet:
        """Instances whose value in an array something reads, or perhaps something behind."""
        known = self._array(array)
        if not self.scop.arrays[array].dead:
            return known.seen
        end = isl.UnionMap.from_domain_and_range(_end(), self._written(array).range())
        return known.writes.subtract_domain(end.wrap()).range()

    def _array(self, array: str) -> _OfArray:
        users = [s for s in self.scop.statements if any(a.array == array for a in s.accesses)]
        known = self._known.get(array)
        same = known is not None and len(known.users) == len(users)
        if known is None or not (same and all(map(is_, known.users, users))):
            known = self._known[array] = _of_array(self.scop, array, users)
        return known

    def _written(self, array: str) -> isl.UnionMap:
        found = isl.UnionMap.empty(self.scop.domain().get_space())
        for statement in self.scop.statements:
            for access in statement.accesses:
                if access.write and access.array == array:
                    relation = access.relation.intersect_domain(statement.domain)
                    found = found.union(isl.UnionMap.from_map(relation))
        return found


@dataclass(frozen=True)
class _OfArray(Sources):
    """The sources of all that ``users``, the statements that touch one array, read of it."""

    users: Sequence[Statement]

    @cached_property
    def seen(self) -> isl.UnionSet:
        """The instances whose values something reads, or the end."""
        return self.writes.range()


_KEPT = 1024
_flows: dict[object, tuple[object, Sources]] = {}


def _of_array(scop: Scop, array: str, users: Sequence[Statement]) -> _OfArray:
    """The sources of one array, found once for what is the same objects: isl's are values.

    Forms of a region, and loops of one shape, share them.
    """
    objects: list[object] = []
    shape: list[tuple[bool, bool] | None] = []
    for statement in users:
        objects += [statement.schedule, statement.domain]
        shape.append(None)
        for access in statement.accesses:
            if access.array == array:
                objects.append(access.relation)
                shape.append((access.write, access.exact))
    key = tuple(map(id, objects)), tuple(shape)
    known = _flows.get(key)
    if known is None:
        if len(_flows) >= _KEPT:
            _flows.clear()
        # Objects that are kept keep their numbers.
        known = _flows[key] = objects, _new_sources(scop, array, users)
    return _OfArray(known[1].writes, known[1].before, users)


def _new_sources(scop: Scop, array: str, users: Sequence[Statement]) -> Sources:
    reads = isl.UnionMap.empty(scop.domain().get_space())
    writes = times = reads
    for statement in users:
        time = statement.schedule.intersect_domain(statement.domain)
        times = times.union(isl.UnionMap.from_map(time))
        for access in statement.accesses:
            if access.array != array:
                continue
            relation = isl.UnionMap.from_map(access.relation.intersect_domain(statement.domain))
            if access.write:
                writes = writes.union(relation)
            if not access.write or not access.exact:
                reads = reads.union(relation)
    earlier = _earlier(reads, times, users)
    inside = _last(reads.range_map().apply_range(writes.reverse()), times, earlier)
    end = isl.UnionMap.from_domain_and_range(_end(), writes.range())
    behind = end.range_map().apply_range(_last(writes.reverse(), times))
    return Sources(inside.union(behind), reads.subtract(inside.domain().unwrap()))


def _last(
    writers: isl.UnionMap, times: isl.UnionMap, among: isl.UnionMap | None = None
) -> isl.UnionMap:
    """Of several writers of an element the last one, of those whose times are ``among`` others."""
    timed = writers.apply_range(times)
    if among is not None:
        timed = timed.intersect(among)
    return timed.coalesce().lexmax().apply_range(times.reverse()).intersect(writers)


def _earlier(reads: isl.UnionMap, times: isl.UnionMap, users: Sequence[Statement]) -> isl.UnionMap:
    """From each ``[reader -> element]`` to the times before the reader's."""
    length = users[0].schedule.dim(isl.dim_type.out)
    space = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, length)
    later = isl.UnionMap.from_map(isl.Map.lex_gt(space))
    return reads.domain_map().apply_range(times).apply_range(later)


@cache
def _end() -> isl.UnionSet:
    return isl.UnionSet(f"{{ {_END}[] }}")
