"""Whether a tile of a statement's target may live in vector registers, its operands in copies.

The proof for ``RegisterTile``. It is made of the accesses alone: the loop keeps elements of the
target from its first iteration to its last one and reads copies of what the operands were before.
"""

from __future__ import annotations

import islpy as isl

from s2s.analyses.locality import coefficient
from s2s.scop.nodes import Access, Scop, Statement
from s2s.scop.schedule import RegisterTile


def obstacle(scop: Scop, tile: RegisterTile) -> str | None:
    """Why the values would be others; None where they are the same."""
    statement = scop.statement(tile.statement)
    targets = [a for a in statement.accesses if a.write]
    if any(not a.exact or a.commutes is not None for a in statement.accesses):
        return "what a statement touches is not known exactly"
    if len(targets) != 1 or not _walks_in_lanes(targets[0], tile):
        return "the lanes of a vector are no neighbours in memory"
    (target,) = targets
    if not _is_one_to_one(target, tile):
        return "iterations of a tile set the same element"
    for access in statement.accesses:
        if access.array == target.array and not access.relation.is_equal(target.relation):
            return "a tile reads elements that it sets"
        if frozenset((access.array, target.array)) in scop.may_alias:
            return "an operand may overlap what is set"
    if any(_meets(scop, statement, other) for other in scop.statements if other is not statement):
        return "an operand may be set while its copy is used"
    return None


def _walks_in_lanes(target: Access, tile: RegisterTile) -> bool:
    """Whether the lane iterator, and nothing else, moves the last subscript by one element."""
    count = target.relation.dim(isl.dim_type.out)
    if not count:
        return False
    steps = [coefficient(target, row, tile.lane) for row in range(count)]
    return steps[-1] == 1 and not any(steps[:-1]) and None not in steps


def _is_one_to_one(target: Access, tile: RegisterTile) -> bool:
    """Whether the element stays along the loop, and others belong to other rows and lanes."""
    rows = range(target.relation.dim(isl.dim_type.out))
    if any(coefficient(target, row, tile.along) != 0 for row in rows):
        return False
    together = target.relation.intersect_domain(tile.whole)
    together = together.project_out(isl.dim_type.in_, tile.along, 1)
    return bool(together.is_injective())


def _meets(scop: Scop, statement: Statement, other: Statement) -> bool:
    """Whether another statement runs in the same part of the schedule and may set an operand."""
    assert scop.target is not None
    touched = {a.array for a in statement.accesses}
    written = {a.array for a in other.accesses if a.write}
    aliased = {frozenset((a, b)) for a in touched for b in written}
    if not (touched & written or aliased & scop.may_alias):
        return False
    parts = [_parts(scop, s) for s in (statement, other)]
    return not parts[0].intersect(parts[1]).is_empty()


def _parts(scop: Scop, statement: Statement) -> isl.Set:
    """The parts of the schedule that a statement runs in: everything up to that dimension."""
    assert scop.target is not None
    place = next(i for i, d in enumerate(scop.target.dimensions) if d.name == "part")
    times = scop.target.maps[statement.name].intersect_domain(statement.domain).range()
    count = times.dim(isl.dim_type.set)
    return times.project_out(isl.dim_type.set, place + 1, count - place - 1)
