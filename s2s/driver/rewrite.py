"""From a pass's schedule to the edit of a region: proved, printed and read again."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from s2s.analyses.region import Analysis
from s2s.emitters.c.clauses import carried_clauses
from s2s.emitters.c.errors import Unprintable
from s2s.emitters.c.guard import Emission
from s2s.emitters.c.region import Rewritten, emit
from s2s.frontends.c.text import free_prefix
from s2s.frontends.c.unit import Unit
from s2s.net import Mismatch
from s2s.net.errors import OutOfSteps
from s2s.net.left_out import check_declared_before, check_left_out
from s2s.scop.nodes import Scop
from s2s.source.diagnostics import InternalError
from s2s.source.flags import is_c90
from s2s.source.records import dataclass
from s2s.transforms.prove import prove
from s2s.transforms.transformed import Transformed


@dataclass(frozen=True)
class Rewriter:
    """Writes regions of one function; ``function`` is its name.

    With ``force`` the guard has no conditions on the gain; ``fallback`` is as in ``Emission``.
    """

    unit: Unit
    function: str
    force: bool = False
    fallback: str | None = None

    def run(self, analysis: Analysis, done: Transformed) -> Rewritten:
        """Prove, print and read again. Raises NotApplicable, Unprintable or InternalError."""
        scop, pruned = analysis.scop, prove(analysis, done)
        emission = self._emission(scop, done)
        rewritten = emit(done.scop, emission)
        self._read_again(done.scop, pruned, rewritten, emission)
        return _as_it_leaves(rewritten)

    def _emission(self, scop: Scop, done: Transformed) -> Emission:
        return Emission(
            self.unit.buffer,
            clauses=carried_clauses(scop),
            profitable=None if self.force else done.profitable,
            per_thread=() if self.force else done.per_thread,
            work=None if self.force else done.work,
            shares=done.shares and not self.force,
            spares=done.spares and not self.force,
            least_bytes=0 if self.force else done.least_bytes,
            often=() if self.force else done.often,
            prefix=free_prefix(self.unit.buffer.data),
            is_cxx=self.unit.is_cxx,
            is_c90=not self.unit.is_cxx and is_c90(self.unit.flags),
            fallback=self.fallback,
        )

    def _read_again(
        self, scop: Scop, pruned: isl.UnionMap, rewritten: Rewritten, emission: Emission
    ) -> None:
        from s2s.frontends.c.reread import reread
        from s2s.net.nests import check

        try:
            code = reread(self.unit, rewritten.edit, self.function)
        except InternalError:
            if emission.is_c90:
                raise Unprintable("the file can be read in C90 alone") from None
            raise
        domain = None
        for statement in scop.statements:
            needs = statement.domain.params()
            domain = needs if domain is None else domain.union(needs)
        assert domain is not None
        known = scop.assumptions.intersect(domain).intersect(scop.context)
        if emission.profitable is not None:  # the loops count on what the guard has made sure
            known = known.intersect(emission.profitable)
        ordered = pruned if scop.reuse is None else pruned.union(scop.reuse)
        try:
            check(scop, ordered, known, rewritten, code, self.unit.buffer, emission.prefix)
        except OutOfSteps:
            raise Unprintable("too many iterations to be compared with the source's") from None


def _as_it_leaves(rewritten: Rewritten) -> Rewritten:
    """The text without what the net alone reads, in C90 where that is the language.

    Raises Unprintable.
    """
    short = rewritten.short
    if short is None:
        return rewritten
    try:
        if short != rewritten.edit:
            check_left_out(rewritten.edit.text, short.text)
        if rewritten.c90 is not None:
            check_declared_before(short.text, rewritten.c90.text)
            short = rewritten.c90
    except Mismatch:
        if rewritten.c90 is not None:
            raise Unprintable("in C90 a for statement cannot declare its variable") from None
        return rewritten  # it is what was read
    return rewritten if short == rewritten.edit else replace(rewritten, edit=short, leaves=())
