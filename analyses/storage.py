"""Proof that the memory of temporaries is large enough: no value is lost before it is read.

In the SCoP a temporary has an element for each iteration. In the new code it is a scalar of the
innermost loop's body, or an array over a strip whose last elements are carried over to the next
one; see ``Storage``.
"""

from __future__ import annotations

import islpy as isl

from s2s.scop.nodes import Scop
from s2s.scop.schedule import Role
from s2s.scop.texts import Storage


def is_enough(scop: Scop, sign: int, *, threads: bool = False) -> bool:
    """Whether all storage holds its values as long as the target schedule needs them.

    ``sign`` is the direction in which the loop counts, with which temporaries are subscripted.
    With ``threads`` each iteration of a strip has a thread to itself, and scalars are the thread's:
    they outlast the loops (entry 1 of the time vectors) that follow each other in the strip.
    """
    assert scop.target is not None
    for storage in scop.storage:
        times = _times(scop, storage.name)
        if times is None:
            continue
        if not storage.size and threads and len(scop.target.dimensions) > 2:
            times = times.project_out(isl.dim_type.out, 1, 1)
        if not (_strip_holds(scop, storage, sign) if storage.size else _body_holds(times)):
            return False
    return True


def _times(scop: Scop, array: str) -> isl.Map | None:
    """From elements to the times at which they are used."""
    assert scop.target is not None
    found: isl.Map | None = None
    for statement in scop.statements:
        for access in statement.accesses:
            if access.array == array:
                time = scop.target.maps[statement.name]
                item = access.relation.reverse().apply_range(time)
                found = item if found is None else found.union(item)
    return found


def _body_holds(times: isl.Map) -> bool:
    """Whether each element is used in one iteration, which uses no other one."""
    last = times.dim(isl.dim_type.out) - 1
    iterations = times.project_out(isl.dim_type.out, last, 1)
    return bool(iterations.is_single_valued() and iterations.is_injective())


def _strip_holds(scop: Scop, storage: Storage, sign: int) -> bool:
    """Whether elements are set in their strip and read there or from what is carried over."""
    assert scop.target is not None
    strip = scop.target.dimensions[0]
    if strip.role is not Role.TILE or not 0 <= storage.carry <= strip.size:
        return False
    if storage.size != strip.size + storage.carry:
        return False
    for statement in scop.statements:
        for access in statement.accesses:
            if access.array == storage.name:
                time = scop.target.maps[statement.name]
                places = _places(access.relation, time, strip.size, sign)
                least = 0 if access.write else -storage.carry
                held = isl.Set(f"{{ [p] : {least} <= p < {strip.size} }}")
                if not places.is_subset(held):
                    return False
    return True


def _places(relation: isl.Map, time: isl.Map, size: int, sign: int) -> isl.Set:
    """The elements that are used, by their distance from the beginning of the user's strip."""
    count = time.dim(isl.dim_type.out)
    number = time.project_out(isl.dim_type.out, 1, count - 1)
    both = relation.flat_range_product(number).range()
    distance = isl.Map(f"{{ [e, s] -> [{sign} * e - {size} * s] }}")
    return both.reset_tuple_id().apply(distance)
