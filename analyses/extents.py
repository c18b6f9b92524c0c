"""How often loops run and how much memory a region touches, as functions of its parameters."""

from __future__ import annotations

from collections.abc import Iterable

import islpy as isl

from s2s.scop.nodes import Scop


def iteration_count(scop: Scop, position: int = 0) -> isl.PwAff:
    """How many values the iterator at ``position`` has, over all statements that have one."""
    values: isl.Set | None = None
    for statement in scop.statements:
        if statement.depth <= position:
            continue
        loop = statement.domain.project_out(
            isl.dim_type.set, position + 1, statement.depth - position - 1
        )
        loop = loop.project_out(isl.dim_type.set, 0, position).reset_tuple_id()
        values = loop if values is None else values.union(loop)
    if values is None:
        raise ValueError("no statement has such an iterator")
    return extent(values, 0)


def array_extents(scop: Scop) -> dict[str, list[isl.PwAff]]:
    """For each array with subscripts the number of elements touched along each of them."""
    touched: dict[str, isl.Set] = {}
    for statement in scop.statements:
        for access in statement.accesses:
            if scop.arrays[access.array].rank:
                image = access.relation.intersect_domain(statement.domain).range()
                known = touched.get(access.array)
                touched[access.array] = image if known is None else known.union(image)
    return {
        name: [extent(image, i) for i in range(image.dim(isl.dim_type.set))]
        for name, image in touched.items()
    }


def extent(values: isl.Set, position: int) -> isl.PwAff:
    """Distance from the smallest to the largest value, both counted."""
    distance = values.dim_max(position).sub(values.dim_min(position))
    return distance.add_constant_val(isl.Val(1)).coalesce()


def constant(value: isl.PwAff) -> int | None:
    """The number that a piecewise expression is everywhere, None where it is not one."""
    numbers: set[int | None] = set()

    def note(_: isl.Set, aff: isl.Aff) -> None:
        numbers.add(aff.get_constant_val().to_python() if aff.is_cst() else None)

    value.foreach_piece(note)
    return numbers.pop() if len(numbers) == 1 else None


def share_of(extents: Iterable[isl.PwAff], least: int) -> tuple[tuple[isl.PwAff, ...], int]:
    """The extents of a product that are no numbers, and what these leave of ``least`` of it."""
    left = []
    for length in extents:
        number = constant(length)
        if number is None:
            left.append(length)
        else:
            least = -(-least // max(1, number))
    return tuple(left), least


def time_extent(scop: Scop, position: int) -> isl.PwAff:
    """How many values an entry of the target schedule's time vectors may have."""
    assert scop.target is not None
    times: isl.Set | None = None
    for statement in scop.statements:
        image = scop.target.maps[statement.name].intersect_domain(statement.domain).range()
        times = image if times is None else times.union(image)
    assert times is not None
    return extent(times, position)
