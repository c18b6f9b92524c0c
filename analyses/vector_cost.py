"""What an innermost loop costs after a compiler has, or has not, made it a vector loop.

The numbers are cycles for each iteration of the source's loop on a core with 32-byte vectors, so
coarse that only their ratio means something. ``bodies`` are the innermost loops that a schedule has
(the source's own where there is no target), ``blocked`` says why a compiler keeps one scalar.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import islpy as isl

from s2s.analyses.dependences import by_statements
from s2s.analyses.locality import coefficient
from s2s.scop.nodes import Access, Scop, Statement

Compiler = Literal["gcc", "clang"]

VECTOR_BYTES = 32
# Assumed for Zen 3 and its like: loads, stores and operations for each cycle, and a loop's own
# instructions in cycles.
_LOAD, _STORE, _OPERATION, _OVERHEAD = 0.5, 1.0, 0.5, 0.5
# Bytes that the second-level cache gives for each cycle.
_BANDWIDTH = 24.0
# How often as slow as vectors a loop is that loads part of what it has just stored: the loads wait
# until the stores are in the cache (facts measured with gcc 12: 3.7 times slower than scalar).
_STALL = {"gcc": 16.0, "clang": 2.0}
# A strided vector is put together element by element.
_STRIDED = 2.0


@dataclass(frozen=True)
class Body:
    """An innermost loop of a schedule: its statements in their order.

    ``position`` is the loop's entry in the time vectors.
    """

    statements: tuple[str, ...]
    position: int


def cycles(
    scop: Scop, dependences: isl.UnionMap, compiler: Compiler, *, reassociate: bool = False
) -> float:
    """Estimated cycles of one iteration of all innermost loops of a schedule together."""
    times = _times(scop)
    return sum(
        _body_cycles(scop, body, _carried(scop, body, dependences, times), compiler, reassociate)
        for body in bodies(scop)
    )


def blocked(
    scop: Scop, body: Body, dependences: isl.UnionMap, *, reassociate: bool = False
) -> str | None:
    """Why a compiler does not make a vector loop of this one; None if it does."""
    return _blocked(scop, body, _carried(scop, body, dependences, _times(scop)), reassociate)


def bodies(scop: Scop) -> tuple[Body, ...]:
    """The innermost loops of the target schedule, or of the source where there is none."""
    found: dict[tuple[object, ...], list[tuple[tuple[int, ...], str]]] = {}
    for statement in scop.statements:
        fixed = _fixed(_times(scop)[statement.name])
        moving = [i for i, value in enumerate(fixed) if value is None]
        if not moving:
            continue
        last = moving[-1]
        inside = tuple(value or 0 for value in fixed[last + 1 :])
        found.setdefault((last, *fixed[:last]), []).append((inside, statement.name))
    return tuple(
        Body(tuple(name for _, name in sorted(members)), int(str(key[0])))
        for key, members in found.items()
    )


@dataclass(frozen=True)
class _Carried:
    """A dependence between iterations of one loop; ``distance`` where it is one number."""

    source: str
    target: str
    distance: int | None


def _times(scop: Scop) -> dict[str, isl.Map]:
    if scop.target is not None:
        return scop.target.maps
    return {s.name: s.schedule for s in scop.statements}


def _fixed(time: isl.Map) -> list[int | None]:
    """For each entry of the time vectors its value where that is one number."""
    found: list[int | None] = []
    for position in range(time.dim(isl.dim_type.out)):
        value = time.plain_get_val_if_fixed(isl.dim_type.out, position)
        found.append(int(value.to_python()) if value.is_int() else None)
    return found


def _carried(
    scop: Scop, body: Body, dependences: isl.UnionMap, times: dict[str, isl.Map]
) -> list[_Carried]:
    found = []
    for (source, target), relation in by_statements(dependences).items():
        if source not in body.statements or target not in body.statements:
            continue
        timed = relation.apply_domain(times[source]).apply_range(times[target])
        for outer in range(body.position):
            timed = timed.equate(isl.dim_type.in_, outer, isl.dim_type.out, outer)
        later = isl.Map.universe(timed.get_space()).order_lt(
            isl.dim_type.in_, body.position, isl.dim_type.out, body.position
        )
        timed = timed.intersect(later)
        if not timed.is_empty():
            value = timed.deltas().plain_get_val_if_fixed(isl.dim_type.set, body.position)
            found.append(
                _Carried(source, target, int(value.to_python()) if value.is_int() else None)
            )
    return found


def _blocked(scop: Scop, body: Body, carried: list[_Carried], reassociate: bool) -> str | None:
    place = {name: i for i, name in enumerate(body.statements)}
    lanes = _lanes(scop, body)
    for item in carried:
        if place[item.source] < place[item.target]:
            continue
        if item.distance is not None and item.distance >= lanes:
            continue
        statement = scop.statement(item.source)
        if item.source == item.target and reassociate and _only_scalars(scop, statement):
            continue
        return f"'{item.target}' needs what a later statement did in an earlier iteration"
    for name in body.statements:
        statement = scop.statement(name)
        if statement.opaque or any(scop.arrays[a.array].external for a in statement.accesses):
            return "a call may do anything"
    return None


def _only_scalars(scop: Scop, statement: Statement) -> bool:
    """Whether all that a statement writes are scalars: a reduction, perhaps."""
    return all(not scop.arrays[a.array].rank for a in statement.accesses if a.write)


def _body_cycles(
    scop: Scop, body: Body, carried: list[_Carried], compiler: Compiler, reassociate: bool
) -> float:
    statements = [scop.statement(name) for name in body.statements]
    scalar = _OVERHEAD + sum(_scalar_cycles(scop, s) for s in statements)
    if _blocked(scop, body, carried, reassociate) is not None:
        return scalar
    lanes = _lanes(scop, body)
    vector = _OVERHEAD / lanes + sum(_vector_cycles(scop, s, lanes) for s in statements)
    vector = max(vector, sum(_bytes(scop, s) for s in statements) / _BANDWIDTH)
    if any(_stalls(scop, item, lanes) for item in carried):
        return vector * _STALL[compiler]
    return vector


def _lanes(scop: Scop, body: Body) -> int:
    """Elements of a vector: of the widest type that the loop has."""
    sizes = [
        scop.arrays[a.array].element_size or 4
        for name in body.statements for a in scop.statement(name).accesses
    ]  # fmt: skip
    return max(1, VECTOR_BYTES // max(sizes, default=4))


def _stalls(scop: Scop, item: _Carried, lanes: int) -> bool:
    """Whether a vector is loaded that overlaps one stored just before."""
    if item.distance is None or not 0 < item.distance < lanes:
        return False
    written = {a.array for a in scop.statement(item.source).accesses if a.write}
    read = {a.array for a in scop.statement(item.target).accesses if not a.write}
    return any(scop.arrays[name].rank for name in written & read)


def _elements(scop: Scop, statement: Statement) -> Iterator[tuple[Access, int | None]]:
    """Accesses to elements with how far they move in each iteration of the innermost loop."""
    for access in statement.accesses:
        rank = access.relation.dim(isl.dim_type.out)
        if not rank or not scop.arrays[access.array].rank or not statement.depth:
            continue
        steps = [coefficient(access, row, statement.depth - 1) for row in range(rank)]
        known = steps[-1] if not any(steps[:-1]) else None
        yield access, known


def _scalar_cycles(scop: Scop, statement: Statement) -> float:
    loads = stores = 0
    for access, step in _elements(scop, statement):
        if step != 0:
            stores += access.write
            loads += not access.write
    return loads * _LOAD + stores * _STORE + max(1, loads) * _OPERATION


def _vector_cycles(scop: Scop, statement: Statement, lanes: int) -> float:
    total = _OPERATION / lanes
    for access, step in _elements(scop, statement):
        one = (_STORE if access.write else _LOAD) + (0.0 if access.write else _OPERATION)
        if step == 0:
            continue
        total += one / lanes if step in (1, -1) else _STRIDED * one * (2 / lanes if step else 1)
    return total


def _bytes(scop: Scop, statement: Statement) -> float:
    return sum(
        (scop.arrays[access.array].element_size or 4) * min(abs(step or 8), 8)
        for access, step in _elements(scop, statement)
        if step != 0
    )
