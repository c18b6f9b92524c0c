"""Estimates of how a loop walks through memory.

The model counts cache lines per iteration of the innermost loop, as in the distinct-lines model
of Ferrante, Sarkar and Thrash ("On estimating and enhancing cache effectiveness", 1991). An access
that does not move costs nothing, one along a row a fraction of a line, any other one a line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import islpy as isl

from s2s.scop.nodes import Access, Array, Scop, Statement
from s2s.scop.remembered import remembered, remembered_lately

LINE_BYTES = 64
# Elements that a vector may be gathered from by loads and shuffles.
_NEAR = 16


def innermost_cost(scop: Scop, statement: Statement, iterator: int) -> float:
    """Cache lines per iteration if ``iterator`` were the innermost loop of a statement."""
    return sum(_lines(scop.arrays, access, iterator) for access in _distinct(statement))


def best_innermost(scop: Scop, statement: Statement, gain: float) -> int:
    """The iterator that a statement's innermost loop should have: the source's unless one is
    cheaper by the factor ``gain``. The statement has a loop around it.
    """
    last = statement.depth - 1
    costs = _costs(scop.arrays, statement)
    best = min(costs, key=lambda i: (costs[i], -i))
    return best if costs[best] * gain <= costs[last] else last


@remembered_lately(16)
def _costs(arrays: Mapping[str, Array], statement: Statement) -> dict[int, float]:
    """The cost of each iterator that may be the innermost one: several passes ask."""
    last = statement.depth - 1
    accesses = _distinct(statement)
    return {
        i: sum(_lines(arrays, access, i) for access in accesses)
        for i in range(last + 1)
        if i == last or not is_determined(statement, i)
    }


def is_determined(statement: Statement, iterator: int) -> bool:
    """Whether the other iterators leave one value at most, as of a loop over tiles."""
    return _leave_one(statement.domain, iterator)


@remembered
def _leave_one(domain: isl.Set, iterator: int) -> bool:
    domain = domain.reset_tuple_id()
    count = domain.dim(isl.dim_type.set)
    others = isl.Map.from_domain_and_range(domain, domain)
    for other in range(count):
        if other != iterator:
            others = others.equate(isl.dim_type.in_, other, isl.dim_type.out, other)
    same = others.equate(isl.dim_type.in_, iterator, isl.dim_type.out, iterator)
    return bool(others.is_subset(same))


def walk_cost(scop: Scop, statement: Statement, time: isl.Map, dimension: int) -> float:
    """Cache lines per iteration of a time dimension when it is the innermost loop.

    ``time`` is injective; subscripts are seen as functions of time vectors.
    """
    back = time.intersect_domain(statement.domain).reverse()
    accesses = tuple(
        replace(a, relation=back.apply_range(a.relation).coalesce()) for a in statement.accesses
    )
    return innermost_cost(scop, replace(statement, accesses=accesses), dimension)


def _distinct(statement: Statement) -> list[Access]:
    """Accesses up to constant offsets: neighbours in a stencil share their lines."""
    kept: list[Access] = []
    for access in statement.accesses:
        if not any(a.array == access.array and _parallel(a, access) for a in kept):
            kept.append(access)
    return kept


def _parallel(a: Access, b: Access) -> bool:
    return a is b or coefficients(a) == coefficients(b)


def _lines(arrays: Mapping[str, Array], access: Access, iterator: int) -> float:
    array = arrays[access.array]
    rank = access.relation.dim(isl.dim_type.out)
    if not rank:
        return 0.0 if access.exact else 1.0
    steps = [row[iterator] for row in coefficients(access)]
    if any(step is None for step in steps):
        return 1.0
    if any(steps[:-1]):
        return 1.0
    return min(1.0, abs(steps[-1] or 0) * (array.element_size or 8) / LINE_BYTES)


def steps_far(scop: Scop, statement: Statement, iterator: int) -> bool:
    """Whether an access jumps, by the same known distance each time, over more than a few elements.

    Told to make vectors of such a loop (``omp simd``), gcc 12 loads all that lies in between.
    """
    return any(abs(_step(scop, a, iterator) or 0) > _NEAR for a in statement.accesses)


def _step(scop: Scop, access: Access, iterator: int) -> int | None:
    """Elements from one iteration's access to the next one's; None where that is not known."""
    total, scale = 0, 1
    sizes = scop.arrays[access.array].sizes
    for row in reversed(range(access.relation.dim(isl.dim_type.out))):
        moved = coefficient(access, row, iterator)
        if moved is None:
            return None
        total += moved * scale
        size = sizes[row] if row < len(sizes) else None
        if row and (size is None or not size.isdigit()):
            rest = (coefficient(access, r, iterator) for r in range(row))
            return None if any(c != 0 for c in rest) else total
        scale *= int(size or 1) if row else 1
    return total


def coefficient(access: Access, row: int, iterator: int) -> int | None:
    """Coefficient of an iterator in a subscript; None where the subscript is not affine."""
    rows = _coefficients(access.relation)
    return None if rows is None else rows[row][iterator]


def coefficients(access: Access) -> tuple[tuple[int | None, ...], ...]:
    """For each subscript the iterators' coefficients."""
    rows = _coefficients(access.relation)
    if rows is not None:
        return rows
    depth = access.relation.dim(isl.dim_type.in_)
    return ((None,) * depth,) * access.relation.dim(isl.dim_type.out)


_Rows = tuple[tuple[int | None, ...], ...] | None
_kept: dict[int, tuple[isl.Map, _Rows]] = {}
_MOST_KEPT = 4096


def _coefficients(relation: isl.Map) -> _Rows:
    """The coefficients of the iterators in each subscript; None where they have several values.

    Kept, since all estimates of all passes begin here: by the object itself, as long as it is, for
    to compare relations takes longer than most of what is asked of them.
    """
    known = _kept.get(id(relation))
    if known is None:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        known = _kept[id(relation)] = relation, _found_coefficients(relation)
    return known[1]


@lru_cache(maxsize=1024)
def _found_coefficients(relation: isl.Map) -> _Rows:
    if not relation.is_single_valued():
        return None
    function = isl.PwMultiAff.from_map(relation)
    iterators = range(relation.dim(isl.dim_type.in_))
    rows = []
    for row in range(relation.dim(isl.dim_type.out)):
        pieces = [aff for _, aff in function.get_at(row).get_pieces()]
        rows.append(tuple(_common(pieces, iterator) for iterator in iterators))
    return tuple(rows)


def _common(pieces: Sequence[isl.Aff], iterator: int) -> int | None:
    """An iterator's coefficient in a subscript, if it is the same whole number in all pieces."""
    values = [aff.get_coefficient_val(isl.dim_type.in_, iterator) for aff in pieces]
    whole = {int(value.to_python()) for value in values if value.is_int()}
    return whole.pop() if len(whole) == 1 and all(v.is_int() for v in values) else None
