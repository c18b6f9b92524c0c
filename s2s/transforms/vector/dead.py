"""Writes whose values nothing sees are left out.

::

    for i: { a[i + 5] = ...;          for i: { a[i] = ...; }
             a[i] = ...; }      ->    a[i + 5] = ...;  in the last five iterations

So are copies to elements that later ones overwrite, once their readers have been renamed.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from s2s.analyses.value_flow import ValueFlow
from s2s.scop.nodes import Statement
from s2s.transforms.vector.rename import within

# What a statement needed may be dead as well when the statement is gone, and so on.
_ROUNDS = 4


def drop_dead_writes(flow: ValueFlow, only: frozenset[str] | None = None) -> ValueFlow:
    """A region without the instances of its assignments that nothing needs.

    With ``only``, of the statements named so.
    """
    for _ in range(_ROUNDS):
        scop = flow.scop
        kept = [_live(flow, s) if only is None or s.name in only else s for s in scop.statements]
        left = tuple(s for s in kept if s is not None)
        if left == scop.statements or not left:
            return flow
        flow = flow.of(replace(scop, statements=left))
    return flow


def _live(flow: ValueFlow, statement: Statement) -> Statement | None:
    """The instances of a statement that something needs; None where there are none."""
    writes = [a for a in statement.accesses if a.write]
    if statement.opaque or statement.control or len(writes) != 1 or not writes[0].exact:
        return statement
    if flow.scop.arrays[writes[0].array].external:
        return statement
    needed = flow.seen_writers(writes[0].array).extract_set(statement.domain.get_space())
    if statement.domain.is_subset(needed):
        return statement
    needed = needed.intersect(statement.domain)
    if needed.is_empty():
        return None
    # A few instances too many are better than a domain in pieces.
    hull = isl.Set.from_basic_set(needed.coalesce().simple_hull())
    domain = hull.intersect(statement.domain).coalesce()
    if domain.n_basic_set() > 1 or domain.is_equal(statement.domain):
        return statement
    return within(statement, statement.name, domain)
