"""Assumptions that the new code checks when it runs, with the source's own code as the fallback."""

from __future__ import annotations

from collections.abc import Set
from contextlib import suppress
from dataclasses import replace

import islpy as isl

from s2s.scop.nodes import Scop, Statement
from s2s.transforms.errors import NotApplicable

# Each pair costs a comparison before the region; more than this is not worth the code.
_MOST_PAIRS = 16


def assume_disjoint(scop: Scop) -> Scop:
    """Take arrays whose addresses can be compared for disjoint.

    ::

        for ...: a[..] = b[..]        if (a and b do not overlap) for ...; else the source's text

    Members of the elements that one pointer leads to lie within the same bytes: each two pointers
    cost one comparison, however many members there are. Raises NotApplicable where no pair of
    arrays that may alias can be compared.
    """
    written = {a.array for s in scop.statements for a in s.accesses if a.write}
    pairs = {
        pair for pair in scop.may_alias
        if len(pair) == 2 and pair & written and all(_has_range(scop, n) for n in pair)
        and not _share_base(scop, pair)
    }  # fmt: skip
    if not pairs:
        raise NotApplicable(scop.span, "no arrays whose addresses could be compared")
    compared = {frozenset(_compared(scop, name) for name in pair) for pair in pairs}
    if len(compared) > _MOST_PAIRS:
        raise NotApplicable(scop.span, f"{len(compared)} pairs of arrays may alias")
    return replace(scop, may_alias=scop.may_alias - pairs, checked=frozenset(pairs))


def assume_rows_apart(scop: Scop) -> Scop:
    """Like ``assume_disjoint``; and rows that pointers in memory lead to do not overlap.

    ::

        for ...: a[i][j] = a[k][j]    if (a[0], a[1], ... are apart) for ...; else the source's text

    Each row costs some comparisons before the region. Raises NotApplicable as ``assume_disjoint``.
    """
    tables = {name for name in scop.arrays if _is_table(scop, name)}
    written = {a.array for s in scop.statements for a in s.accesses if a.write}
    if not tables & written:
        return assume_disjoint(scop)
    pairs = frozenset(
        pair for pair in scop.may_alias
        if len(pair) == 2 and pair & written and pair & tables
        and all(n in tables or _has_range(scop, n) for n in pair)
    )  # fmt: skip
    if len(pairs) > _MOST_PAIRS:
        raise NotApplicable(scop.span, f"{len(pairs)} pairs of arrays may alias")
    arrays = {
        name: replace(array, row_rank=0) if name in tables else array
        for name, array in scop.arrays.items()
    }
    led = {array.table for name, array in scop.arrays.items() if name in tables}
    pointers = {
        name for name, array in scop.arrays.items()
        if array.base in led or (array.member is not None and array.member[0] in led)
    }  # fmt: skip
    apart = replace(
        scop, arrays=arrays, statements=tuple(_keep(s, pointers) for s in scop.statements),
        may_alias=scop.may_alias - pairs, checked=pairs,
        rows_apart=frozenset(tables),
    )  # fmt: skip
    with suppress(NotApplicable):
        others = assume_disjoint(apart)
        return replace(others, checked=others.checked | pairs)
    return apart


def _keep(statement: Statement, pointers: Set[str]) -> Statement:
    """A statement in whose text nothing takes the place of these pointers: elements have it."""
    accesses = tuple(
        replace(a, places=(), names=()) if a.array in pointers else a for a in statement.accesses
    )
    return replace(statement, accesses=accesses)


def _is_table(scop: Scop, name: str) -> bool:
    """Whether it is known which rows of pointers a region touches, and what of them."""
    array = scop.arrays[name]
    if array.table is None or array.row_rank != array.rank - 1:
        return False
    last = range(array.rank - 2, array.rank)
    touching = [(s, a) for s in scop.statements for a in s.accesses if a.array == name]
    return bool(touching) and all(
        a.exact and s.exact and not s.opaque
        and all(a.relation.range().dim_is_bounded(isl.dim_type.set, d) for d in last)
        and all(_is_zero(a.relation.range(), d) for d in range(array.rank - 2))
        for s, a in touching
    )  # fmt: skip


def _is_zero(touched: isl.Set, place: int) -> bool:
    """Whether nothing but 0 stands at a place: a pointer to one record leads on."""
    return bool(touched.is_subset(touched.fix_val(isl.dim_type.set, place, isl.Val(0))))


def _share_base(scop: Scop, pair: Set[str]) -> bool:
    """Whether two arrays begin at one address: records and their fields always overlap."""
    arrays = (scop.arrays[name] for name in pair)
    bases = {a.base or (a.member[0] if a.member is not None else None) for a in arrays}
    return len(bases) == 1 and None not in bases


def _compared(scop: Scop, name: str) -> tuple[str | None, ...]:
    """What stands for an array in the guard: the pointer to its elements, or itself."""
    array = scop.arrays[name]
    return (array.base, *array.flat) if array.base is not None else (name,)


def _has_range(scop: Scop, name: str) -> bool:
    """Whether it is known from where to where the region touches an array, if it does at all."""
    array = scop.arrays[name]
    touching = [a for s in scop.statements for a in s.accesses if a.array == name]
    place = 0 if array.base is not None else array.member[1] if array.member is not None else None
    return (
        place is not None
        and bool(touching)
        and all(
            not array.rank or a.relation.range().dim_is_bounded(isl.dim_type.set, place)
            for a in touching
        )
    )
