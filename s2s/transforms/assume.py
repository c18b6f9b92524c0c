"""Assumptions that the new code checks when it runs, with the source's own code as the fallback."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from s2s.scop.nodes import Scop
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
    }  # fmt: skip
    if not pairs:
        raise NotApplicable(scop.span, "no arrays whose addresses could be compared")
    compared = {frozenset(_compared(scop, name) for name in pair) for pair in pairs}
    if len(compared) > _MOST_PAIRS:
        raise NotApplicable(scop.span, f"{len(compared)} pairs of arrays may alias")
    return replace(scop, may_alias=scop.may_alias - pairs, checked=frozenset(pairs))


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
