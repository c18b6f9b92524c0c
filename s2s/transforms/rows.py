"""Rows of a time loop: innermost loops along memory, whose iterations do not depend on each other.

Locality is worth something where rows run as vectors: what waits for its own last result does not
wait for memory.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from s2s.scop.nodes import Access, Loop, Scop, Statement
from s2s.scop.schedule import Dimension, Role
from s2s.scop.trees import paths
from s2s.transforms.errors import NotApplicable
from s2s.transforms.units import Unit, direction, varies_in_last


def check_rows(scop: Scop, dependences: isl.UnionMap) -> None:
    """Raise NotApplicable unless the deepest loops walk along memory and carry no dependence."""
    deepest = max(statement.depth for statement in scop.statements)
    deep = [s for s in scop.statements if s.depth == deepest]
    for statement in deep:
        for access in statement.accesses:
            array = scop.arrays[access.array]
            if access.write and not array.rank:
                raise NotApplicable(access.span, f"'{array.spelling}' is set in each iteration")
            if array.rank and not varies_in_last(access.relation, deepest - 1, always=False):
                raise NotApplicable(access.span, "the innermost loop does not walk along memory")
    names = {s.name: s for s in deep}
    loops = innermost_loops(scop)
    carried: list[Statement] = []

    def note(pairs: isl.Map) -> None:
        source = pairs.get_tuple_name(isl.dim_type.in_)
        sink = pairs.get_tuple_name(isl.dim_type.out)
        together = source in names and sink in names and loops[source] is loops[sink]
        if together and _carries(pairs, deepest):
            carried.append(names[sink])

    dependences.foreach_map(note)
    if carried:
        raise NotApplicable(carried[0].span, "iterations of the innermost loop wait for each other")


def innermost_loops(scop: Scop) -> dict[str, Loop | None]:
    """The innermost loop around each statement."""
    return {
        name: next((node for node in reversed(path) if isinstance(node, Loop)), None)
        for name, path in paths(scop.tree).items()
    }


def _carries(pairs: isl.Map, depth: int) -> bool:
    """Whether instances depend on others of which only the innermost iterator differs."""
    for place in range(depth - 1):
        pairs = pairs.equate(isl.dim_type.in_, place, isl.dim_type.out, place)
    last = isl.dim_type.in_, depth - 1, isl.dim_type.out, depth - 1
    return not (pairs.order_lt(*last).is_empty() and pairs.order_gt(*last).is_empty())


def reads_beside(scop: Scop) -> bool:
    """Whether a step of the outermost loop reads elements that an earlier one wrote elsewhere.

    Elsewhere is where another loop has another iteration. Steps that do the same again, or go on at
    each place by itself, need no tiles along time.
    """
    accesses = [(s, a) for s in scop.statements for a in s.accesses if scop.arrays[a.array].rank]
    return any(
        write.write and not read.write and write.array == read.array
        and _leads_beside(_from_to(first, write, later, read))
        for first, write in accesses for later, read in accesses
    )  # fmt: skip


def _from_to(first: Statement, write: Access, later: Statement, read: Access) -> isl.Map:
    """From the instances that write elements to those that read them."""
    written = write.relation.intersect_domain(first.domain)
    return written.apply_range(read.relation.intersect_domain(later.domain).reverse())


def _leads_beside(pairs: isl.Map) -> bool:
    """Whether the second of two instances is in a later step and at another place."""
    inner = range(1, min(pairs.dim(isl.dim_type.in_), pairs.dim(isl.dim_type.out)))
    later = pairs.order_lt(isl.dim_type.in_, 0, isl.dim_type.out, 0)
    for place in inner:
        at = isl.dim_type.in_, place, isl.dim_type.out, place
        if not (later.order_lt(*at).is_empty() and later.order_gt(*at).is_empty()):
            return True
    return False


def one_after_another(scop: Scop, units: tuple[Unit, ...], depth: int) -> Scop:
    """In each tile of a band of ``depth`` loops, the innermost loop of each unit by itself.

    ::

        for t in tile: for i in tile: { U1(t, i - 2t);  U2(t, i - 2t - 1); }
            ->  for t in tile: { for i: U1(t, i);  for i: U2(t, i); }

    Loops are those of the source, cut at the tile's ends, so that they become vectors.
    """
    schedule = scop.target
    assert schedule is not None
    at = [i for i, d in enumerate(schedule.dimensions) if d.role is Role.BAND][depth - 1]
    names = [f"d{i}" for i in range(len(schedule.dimensions))]
    maps = {}
    for number, unit in enumerate(units):
        for statement in map(scop.statement, unit.statements):
            own = direction(statement, depth - 1) if statement.depth >= depth else "0"
            inputs = ", ".join(v.name for v in statement.iterators)
            times = schedule.maps[statement.name]
            before = times.project_out(isl.dim_type.out, at, len(names) - at)
            after = times.project_out(isl.dim_type.out, 0, at + 1)
            row = isl.Map(f"{{ {statement.name}[{inputs}] -> [{number}, {own}] }}")
            turned = before.flat_range_product(row).flat_range_product(after)
            maps[statement.name] = turned.intersect_domain(statement.domain)
    # A tile's ends along the innermost loop are no longer those of one entry.
    dimensions = [
        replace(d, band=None, start="0") if d.band == depth - 1 else d for d in schedule.dimensions
    ]
    dimensions.insert(at, Dimension("sweep", Role.BAND, unroll=True))
    changed = replace(schedule, maps=maps, dimensions=tuple(dimensions), permutable=0)
    return replace(scop, target=changed)
