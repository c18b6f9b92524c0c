"""Conservative dependences of a SCoP: memory based, with may-aliases and whole-array accesses.

Section 3.5.1 of the PoPP chapter uses dummy variables for subscripts that are not affine; here the
access relation simply covers the whole array.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import islpy as isl

from s2s.scop.before import before
from s2s.scop.fixed import Fixed, are_apart, fixed_outputs
from s2s.scop.nodes import Access, Array, Scop, Statement
from s2s.scop.remembered import coalesced, intersection, meeting, union
from s2s.source.records import dataclass


def sequential_order(scop: Scop) -> isl.UnionMap:
    """Pairs of instances, the first (perhaps) before the second in the serial elision."""
    return scop.serial_order


class SerialOrder:
    """The order of two statements' instances in the serial elision, made when somebody asks for it.

    The order of all of them has as many maps as there are pairs of statements.
    """

    def __init__(self, scop: Scop) -> None:
        self._known: dict[tuple[str, str], isl.Map] = {}
        self._given = None if scop.order is None else by_statements(scop.order)
        self._times = {s.name: (s.schedule, s.domain) for s in scop.statements}

    def between(self, first: str, second: str) -> isl.Map | None:
        """Pairs of instances of two statements, (perhaps) in order; None where there are none."""
        pair = first, second
        if self._given is not None:
            return self._given.get(pair)
        if pair not in self._known:
            self._known[pair] = before(*self._times[first], *self._times[second])
        return self._known[pair]

    def restrict(self, pair: tuple[str, str], relation: isl.Map) -> isl.Map | None:
        """The pairs of a relation that are in order."""
        between = self.between(*pair)
        return None if between is None else intersection(relation, between)

    def restrict_all(self, relation: isl.UnionMap) -> isl.UnionMap:
        """The pairs of a relation between instances of all statements that are in order."""
        kept = [self.restrict(*item) for item in by_statements(relation).items()]
        return united([item for item in kept if item is not None], relation.get_space())


class _Pairs:
    """A growing relation, kept apart by statements: to unite union maps copies them each time."""

    def __init__(self) -> None:
        self.maps: dict[tuple[str, str], isl.Map] = {}

    def add(self, pair: tuple[str, str], relation: isl.Map) -> None:
        known = self.maps.get(pair)
        self.maps[pair] = relation if known is None else union(known, relation)

    def ordered(self, order: SerialOrder, space: isl.Space) -> isl.UnionMap:
        """The pairs that are in order, as one relation."""
        kept = [order.restrict(pair, relation) for pair, relation in self.maps.items()]
        return united([coalesced(item) for item in kept if item is not None], space)


def united(maps: Sequence[isl.Map], space: isl.Space) -> isl.UnionMap:
    """The union of maps; to add them one by one copies what is there each time."""
    if not maps:
        return isl.UnionMap.empty(space)
    if len(maps) == 1:
        return isl.UnionMap.from_map(maps[0])
    half = len(maps) // 2
    return united(maps[:half], space).union(united(maps[half:], space))


@dataclass(frozen=True)
class Dependences:
    """Relations between statement instances, the earlier one (sequentially) on the left.

    ``all`` is the conservative relation P.
    """

    all: isl.UnionMap
    _kinds: _Kinds

    @cached_property
    def exact(self) -> isl.UnionMap:
        """The part where both accesses are exact and certain to name the same element."""
        return self._kinds.exact.ordered(self._kinds.order, self._kinds.space)

    @cached_property
    def commuting(self) -> isl.UnionMap:
        """The part between accesses under one lock, an atomic or a reduction.

        The source leaves their order open.
        """
        found = self._kinds.commuting.ordered(self._kinds.order, self._kinds.space)
        return found.subtract(self.all).coalesce()


@dataclass(frozen=True)
class _Kinds:
    """Pairs that touch the same memory, by what is known of them, before they are put in order."""

    order: SerialOrder
    space: isl.Space
    plain: _Pairs
    exact: _Pairs
    commuting: _Pairs


def compute(scop: Scop) -> Dependences:
    """The conservative dependences of a SCoP and the exact and the commuting ones among them."""
    kinds = _kinds_of(scop, SerialOrder(scop))
    return Dependences(kinds.plain.ordered(kinds.order, kinds.space), kinds)


def _kinds_of(scop: Scop, order: SerialOrder) -> _Kinds:
    plain, exact, commuting = _Pairs(), _Pairs(), _Pairs()
    for left, a, right, b, apart in _conflicts(scop):
        if apart and not scop.arrays[a.array].row_rank:
            continue
        relation = _conflict(scop.arrays, a, b)
        if relation.plain_is_empty():
            continue
        pair = left.name, right.name
        if a.commutes is not None and a.commutes == b.commutes:
            commuting.add(pair, relation)
            continue
        plain.add(pair, relation)
        if a.exact and b.exact and a.array == b.array and not scop.arrays[a.array].row_rank:
            exact.add(pair, relation)
    return _Kinds(order, scop.domain().get_space(), plain, exact, commuting)


def certain_conflicts(scop: Scop) -> isl.UnionMap:
    """Pairs of instances that surely touch the same element, one writing it, whatever their order.

    An instance that surely writes is related to itself; accesses under one lock are left out.
    Rows with equal subscripts are one row: where the region stores row pointers nothing is exact.
    """
    found = _Pairs()
    for left, a, right, b, apart in _conflicts(scop):
        locked = a.commutes is not None and a.commutes == b.commutes
        if a.exact and b.exact and not locked and not apart:
            found.add((left.name, right.name), a.relation.apply_range(b.relation.reverse()))
    return united([m.coalesce() for m in found.maps.values()], scop.domain().get_space())


def _conflicts(scop: Scop) -> Iterable[tuple[Statement, Access, Statement, Access, bool]]:
    """Two accesses to one array, at least one of them a write.

    And whether subscripts that are numbers tell their elements apart.
    """
    users: dict[str, list[tuple[Statement, Access, Fixed]]] = {}
    for statement in scop.statements:
        for access in statement.accesses:
            item = statement, access, fixed_outputs(access.relation)
            users.setdefault(access.array, []).append(item)
    writers = {array: [u for u in found if u[1].write] for array, found in users.items()}
    for left in scop.statements:
        for a in left.accesses:
            fixed = fixed_outputs(a.relation)
            for right, b, other in (users if a.write else writers)[a.array]:
                yield left, a, right, b, are_apart(fixed, other)


def _conflict(arrays: dict[str, Array], a: Access, b: Access) -> isl.Map:
    """Pairs of instances that may touch the same memory through two accesses."""
    same = meeting(a.relation, b.relation)
    row_rank = arrays[a.array].row_rank
    if row_rank:
        same = same.union(other_rows(a.relation, b.relation, row_rank))
    return same


def other_rows(a: isl.Map, b: isl.Map, row_rank: int) -> isl.Map:
    """Pairs that use different row pointers: the rows may be the same memory."""
    space = a.range().get_space()
    rank = space.dim(isl.dim_type.set)
    rows = isl.Map.universe(space.map_from_set())
    equal = rows
    for position in range(min(row_rank, rank)):
        equal = equal.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
    return a.apply_range(rows.subtract(equal)).apply_range(b.reverse())


def _aliasing(scop: Scop, order: SerialOrder) -> isl.UnionMap:
    """Pairs of instances whose accesses to different arrays may meet, at least one a write.

    Most arrays of a loop are touched in all its iterations, and then one pair of arrays says what
    all of them do.
    """
    found = _Pairs()
    users = _Users(scop)
    seen: set[tuple[str, str, int, int]] = set()
    for pair in scop.may_alias:
        if len(pair) != 2:
            continue
        first, second = sorted(pair)
        for write_a, write_b in ((True, None), (None, True)):
            for source, left in users.of(first, write_a).items():
                for target, right in users.of(second, write_b).items():
                    key = source, target, id(left), id(right)
                    if key in seen:
                        continue
                    seen.add(key)
                    both = isl.Map.from_domain_and_range(left, right)
                    found.add((source, target), both)
                    found.add((target, source), both.reverse())
    return found.ordered(order, scop.domain().get_space())


class _Users:
    """The instances that may access an array, by their statements; equal sets are one object."""

    def __init__(self, scop: Scop) -> None:
        self._scop = scop
        self._known: dict[tuple[str, bool | None], dict[str, isl.Set]] = {}
        self._sets: dict[str, list[isl.Set]] = {}

    def of(self, array: str, write: bool | None) -> dict[str, isl.Set]:
        """The instances that may write an array, that may read it, or (None) that may do either."""
        key = array, write
        if key not in self._known:
            self._known[key] = self._find(array, write)
        return self._known[key]

    def _find(self, array: str, write: bool | None) -> dict[str, isl.Set]:
        found: dict[str, isl.Set] = {}
        for statement in self._scop.statements:
            for access in statement.accesses:
                if access.array == array and (write is None or access.write == write):
                    domain = access.relation.domain()
                    known = found.get(statement.name)
                    found[statement.name] = domain if known is None else known.union(domain)
        # Two accesses under one condition give its pieces twice, and pairs of instances four times.
        return {name: self._one(name, coalesced(item)) for name, item in found.items()}

    def _one(self, statement: str, instances: isl.Set) -> isl.Set:
        """The object that stands for a set of a statement's instances."""
        sets = self._sets.setdefault(statement, [])
        for known in sets:
            if known.plain_is_equal(instances):
                return known
        sets.append(instances)
        return instances


def conservative(scop: Scop, order: SerialOrder | None = None) -> Dependences:
    """P of Algorithm 1: equal elements, other rows, and arrays that may alias.

    ``order`` is that of the scop, where somebody else asks it, too.
    """
    kinds = _kinds_of(scop, order or SerialOrder(scop))
    found = kinds.plain.ordered(kinds.order, kinds.space)
    return Dependences(found.union(_aliasing(scop, kinds.order)).coalesce(), kinds)


def by_statements(relation: isl.UnionMap) -> dict[tuple[str, str], isl.Map]:
    """The maps of a relation by the names of their statements."""
    found: dict[tuple[str, str], isl.Map] = {}

    def note(item: isl.Map) -> None:
        names = (item.get_tuple_name(isl.dim_type.in_), item.get_tuple_name(isl.dim_type.out))
        found[names] = item

    relation.foreach_map(note)
    return found
