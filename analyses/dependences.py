"""Conservative dependences of a SCoP: memory based, with may-aliases and whole-array accesses.

Section 3.5.1 of the PoPP chapter uses dummy variables for subscripts that are not affine; here the
access relation simply covers the whole array.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import islpy as isl

from s2s.scop.nodes import Access, Array, Scop


@dataclass(frozen=True)
class Dependences:
    """Relations between statement instances, the earlier one (sequentially) on the left.

    ``all`` is the conservative relation P; ``exact`` the part of it where both accesses are exact
    and certain to name the same element; ``commuting`` the part between accesses under one lock,
    an atomic or a reduction, whose order the source leaves open.
    """

    all: isl.UnionMap
    exact: isl.UnionMap
    commuting: isl.UnionMap


def sequential_order(scop: Scop) -> isl.UnionMap:
    """Pairs of instances, the first (perhaps) before the second in the serial elision."""
    if scop.order is not None:
        return scop.order
    schedule = scop.schedule()
    return schedule.lex_lt_union_map(schedule)


def compute(scop: Scop) -> Dependences:
    """The conservative dependences of a SCoP and the exact and the commuting ones among them."""
    order = sequential_order(scop)
    empty = isl.UnionMap.empty(order.get_space())
    plain, exact, commuting = empty, empty, empty
    for a, b in _conflicts(scop):
        relation = _conflict(scop.arrays, a, b)
        if relation is None:
            continue
        both = isl.UnionMap.from_map(relation)
        if a.commutes is not None and a.commutes == b.commutes:
            commuting = commuting.union(both)
            continue
        plain = plain.union(both)
        if a.exact and b.exact and a.array == b.array and not scop.arrays[a.array].row_rank:
            exact = exact.union(both)
    return Dependences(
        plain.intersect(order).coalesce(),
        exact.intersect(order).coalesce(),
        commuting.intersect(order).subtract(plain).coalesce(),
    )


def certain_conflicts(scop: Scop) -> isl.UnionMap:
    """Pairs of instances that surely touch the same element, one writing it, whatever their order.

    An instance that surely writes is related to itself; accesses under one lock are left out.
    Rows with equal subscripts are one row: where the region stores row pointers nothing is exact.
    """
    found = isl.UnionMap.empty(scop.domain().get_space())
    for a, b in _conflicts(scop):
        locked = a.commutes is not None and a.commutes == b.commutes
        if a.exact and b.exact and a.array == b.array and not locked:
            found = found.union(isl.UnionMap.from_map(a.relation.apply_range(b.relation.reverse())))
    return found.coalesce()


def _conflicts(scop: Scop) -> Iterable[tuple[Access, Access]]:
    for left in scop.statements:
        for right in scop.statements:
            for a in left.accesses:
                for b in right.accesses:
                    if a.write or b.write:
                        yield a, b


def _conflict(arrays: dict[str, Array], a: Access, b: Access) -> isl.Map | None:
    """Pairs of instances that may touch the same memory through two accesses."""
    if a.array != b.array:
        return None
    same = a.relation.apply_range(b.relation.reverse())
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


def aliasing(scop: Scop, order: isl.UnionMap) -> isl.UnionMap:
    """Pairs of instances whose accesses to different arrays may meet, at least one a write."""
    found = isl.UnionMap.empty(order.get_space())
    for pair in scop.may_alias:
        if len(pair) != 2:
            continue
        first, second = sorted(pair)
        for write_a, write_b in ((True, None), (None, True)):
            sources = _instances(scop, first, write_a)
            targets = _instances(scop, second, write_b)
            if sources is None or targets is None:
                continue
            both = isl.UnionMap.from_domain_and_range(sources, targets)
            found = found.union(both).union(both.reverse())
    return found.intersect(order).coalesce()


def _instances(scop: Scop, array: str, write: bool | None) -> isl.UnionSet | None:
    found: isl.UnionSet | None = None
    for statement in scop.statements:
        for access in statement.accesses:
            if access.array == array and (write is None or access.write == write):
                domain = isl.UnionSet.from_set(access.relation.domain())
                found = domain if found is None else found.union(domain)
    return found


def conservative(scop: Scop) -> Dependences:
    """P of Algorithm 1: equal elements, other rows, and arrays that may alias."""
    found = compute(scop)
    order = sequential_order(scop)
    everything = found.all.union(aliasing(scop, order)).coalesce()
    return Dependences(everything, found.exact, found.commuting.subtract(everything))


def by_statements(relation: isl.UnionMap) -> dict[tuple[str, str], isl.Map]:
    """The maps of a relation by the names of their statements."""
    found: dict[tuple[str, str], isl.Map] = {}

    def note(item: isl.Map) -> None:
        names = (item.get_tuple_name(isl.dim_type.in_), item.get_tuple_name(isl.dim_type.out))
        found[names] = item

    relation.foreach_map(note)
    return found
