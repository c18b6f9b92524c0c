"""A program's regions the way the product sees them: parsed, lifted, analysed, rewritten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import islpy as isl

from s2s.emitters.c.guard import Emission
from s2s.emitters.c.region import Rewritten, emit
from s2s.frontends.c.reread import reread
from s2s.frontends.c.unit import Unit
from s2s.net.nests import check
from s2s.scop.nodes import Scop
from s2s.transforms.assume import assume_disjoint
from s2s.transforms.errors import NotApplicable
from tests.lifting import analysed, lifted


@dataclass(frozen=True)
class Region:
    """A lifted region with its dependences: ``kept`` is P' and what may never be reordered."""

    unit: Unit
    function: str
    scop: Scop
    kept: isl.UnionMap
    races: isl.UnionMap


def regions(unit: Unit, *, disjoint: bool) -> Iterator[Region]:
    """Each region with P' of Algorithm 1; ``disjoint`` takes comparable arrays for disjoint."""
    for function, scop in lifted(unit):
        taken = scop
        if disjoint and scop.may_alias:
            try:
                taken = assume_disjoint(scop)
            except NotApplicable:
                taken = scop
        found = analysed(taken)
        # Updates under one lock commute for the threads; those of one thread keep their order.
        locked = found.found.commuting.intersect(found.order)
        kept = found.pruned.union(locked).union(found.races).coalesce()
        yield Region(unit, function, taken, kept, found.races)


def rewritten(region: Region, scop: Scop) -> Rewritten:
    """Emit a scheduled SCoP and read the text again. Raises Unprintable or InternalError."""
    done = emit(scop, Emission(region.unit.buffer))
    code = reread(region.unit, done.edit, region.function)
    check(scop, region.kept, executed(scop), done, code, region.unit.buffer)
    return done


def executed(scop: Scop) -> isl.Set:
    """Parameters for which the new code runs: assumptions hold and there is something to do."""
    domain = scop.statements[0].domain.params()
    for statement in scop.statements[1:]:
        domain = domain.union(statement.domain.params())
    return scop.assumptions.intersect(domain).intersect(scop.context)
