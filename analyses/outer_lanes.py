"""Loops around an innermost recurrence whose iterations may be lanes of vectors.

D. Nuzman and A. Zaks, "Outer-loop vectorization: revisited for short SIMD architectures", 2008:
each lane has a recurrence of its own, in the order of the source.
"""

from __future__ import annotations

import islpy as isl

from s2s.analyses.extents import constant, extent
from s2s.analyses.locality import coefficients
from s2s.analyses.registers import are_members_held
from s2s.scop.nodes import Scop, Statement


def carries(statement: Statement, dependences: isl.UnionMap, iterator: int) -> bool:
    """Whether a statement depends on itself along ``iterator`` alone."""
    space = statement.domain.get_space().map_from_set()
    relation = dependences.extract_map(space).intersect_domain(statement.domain)
    for position in range(statement.depth):
        if position != iterator:
            relation = relation.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
    return not relation.is_empty()


def is_contiguous(scop: Scop, statement: Statement, iterator: int) -> bool:
    """Whether all accesses stay or move by one element along an iterator.

    Members of records that a compiler holds in registers are no such elements.
    """
    for access in statement.accesses:
        if scop.arrays[access.array].row_rank:
            return False
        steps = [row[iterator] for row in coefficients(access)]
        if any(step is None for step in steps) or any(steps[:-1]):
            return False
        if steps and (steps[-1] not in (0, 1) or (steps[-1] and are_members_held(scop, access))):
            return False
    return True


def sums_in_lanes(
    scop: Scop, statement: Statement, dependences: isl.UnionMap, order: tuple[int, ...]
) -> bool:
    """Whether iterations of the loop around an innermost recurrence may be lanes, each with one."""
    *_, around, last = order
    return (
        carries(statement, dependences, last)
        and not carries(statement, dependences, around)
        and is_contiguous(scop, statement, around)
    )


def has_terms(statement: Statement, iterator: int) -> bool:
    """Whether it is known as a number how often a loop runs, if only to the compiler.

    Where the loop may be empty, that is a branch in the loop around, of which gcc makes no vectors.
    """
    return (constant(extent(statement.domain.reset_tuple_id(), iterator)) or 0) > 0
