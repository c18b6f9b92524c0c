"""The box of indices that a statement's instances are, and the conditions inside of it."""

from __future__ import annotations

from collections.abc import Collection

import islpy as isl

from s2s.analyses.operators.subscripts import NotAnOperator, affine_polynomial
from s2s.scop.nodes import Statement
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Range:
    """``extent`` values of an iterator from ``first`` on."""

    name: str
    first: Polynomial
    extent: Polynomial


@dataclass(frozen=True)
class Box:
    """Ranges, and ``inside``: the part of their product that executes (None: all of it)."""

    ranges: tuple[Range, ...]
    inside: isl.Set | None

    @property
    def first(self) -> dict[str, Polynomial]:
        return {r.name: r.first for r in self.ranges}


def instances(statement: Statement) -> isl.Set:
    """The instances that the loops around a statement have."""
    return statement.domain if statement.around is None else statement.around


def box_of(domain: isl.Set, used: Collection[str], context: isl.Set) -> Box:
    """The box of a domain in the iterators that are used; the others only order the instances.

    ``context``: parameters for which there are instances. Raises NotAnOperator where an iterator
    that is not used repeats instances, or a range is not affine.
    """
    domain = _only(domain.intersect_params(context), used)
    space, names = domain.get_space(), _names(domain)
    ranges = []
    whole = isl.Set.universe(space)
    local = isl.LocalSpace.from_space(space)
    for place, name in enumerate(names):
        low, high = domain.dim_min(place), domain.dim_max(place)
        first, last = (affine_polynomial(f.gist_params(context)) for f in (low, high))
        if first is None or last is None:
            raise NotAnOperator(f"the bounds of loop '{name}' are not affine in the sizes")
        ranges.append(Range(name, first, last - first + Polynomial.integer(1)))
        at = isl.PwAff.from_aff(isl.Aff.var_on_domain(local, isl.dim_type.set, place))
        whole = whole.intersect(at.ge_set(low.insert_domain(space)))
        whole = whole.intersect(at.le_set(high.insert_domain(space)))
    whole = whole.intersect_params(context)
    is_box = whole.is_subset(domain)
    return Box(tuple(ranges), None if is_box else domain.gist(whole))


def _only(domain: isl.Set, used: Collection[str]) -> isl.Set:
    """The domain without iterators that are not used, each value of which is given by the rest."""
    place = 0
    for name in _names(domain):
        if name in used:
            place += 1
            continue
        without = domain.project_out(isl.dim_type.set, place, 1)
        if not _is_given(domain, place):
            raise NotAnOperator(f"loop '{name}' computes the same again")
        domain = without
    return domain.coalesce().remove_redundancies()


def _names(domain: isl.Set) -> list[str]:
    count = domain.dim(isl.dim_type.set)
    return [str(domain.get_dim_name(isl.dim_type.set, k)) for k in range(count)]


def _is_given(domain: isl.Set, place: int) -> bool:
    """Whether the other iterators leave one value at most."""
    identity = isl.Map.identity(domain.get_space().map_from_set()).intersect_domain(domain)
    return bool(identity.project_out(isl.dim_type.out, place, 1).is_injective())
