"""Answers that are kept by the objects that were asked about.

A region is lifted in several forms, prepared, and once more loop by loop, and passes change little
of it: domains, times and access relations stay the same objects, for their texts are read once.
isl's objects are values, so what was computed from the same ones need not be computed again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    import islpy as isl

P = ParamSpec("P")
T = TypeVar("T")
Relation = TypeVar("Relation", "isl.Map", "isl.Set")

_KEPT = 4_096  # a few kilobytes each; with more, LU of NPB takes no less time


def remembered(work: Callable[P, T]) -> Callable[P, T]:
    """``work``, done once for the same objects, which have to be values, given by position.

    To compare the values themselves would take longer than most of what is done with them.
    """
    return _keeping(work, _KEPT)


def remembered_lately(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """The same for objects that hold a whole file, of which no more than ``most`` are kept."""
    return lambda work: _keeping(work, most)


def _keeping(work: Callable[P, T], most: int) -> Callable[P, T]:
    known: dict[tuple[int, ...], tuple[object, T]] = {}

    @wraps(work)
    def answer(*given: P.args, **named: P.kwargs) -> T:
        assert not named
        key = tuple(map(id, given))
        found = known.get(key)
        if found is None:
            if len(known) >= most:
                known.clear()
            # Objects that are kept keep their numbers.
            found = known[key] = given, work(*given, **named)
        return found[1]

    return answer


@remembered
def intersection(one: Relation, other: Relation) -> Relation:
    return one.intersect(other)


@remembered
def union(one: Relation, other: Relation) -> Relation:
    return one.union(other)


@remembered
def coalesced(relation: Relation) -> Relation:
    return relation.coalesce()


@remembered
def is_empty(relation: isl.Map | isl.Set) -> bool:
    return relation.is_empty()


@remembered
def composition(first: isl.Map, then: isl.Map) -> isl.Map:
    return first.apply_range(then)


@remembered
def inverse(relation: isl.Map) -> isl.Map:
    return relation.reverse()


@remembered
def meeting(one: isl.Map, other: isl.Map) -> isl.Map:
    """Pairs that two relations relate to the same: instances that touch one element."""
    return one.apply_range(other.reverse())
