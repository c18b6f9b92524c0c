"""The passes that are asked about one region, and what the first one that applies makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING

from s2s.analyses.region import Analysis, analyse
from s2s.driver import passes
from s2s.driver.make_pass import make_pass
from s2s.driver.options import Options
from s2s.emitters.c.errors import Unprintable
from s2s.frontends.c.unit import Unit
from s2s.scop.nodes import Construct, Kind, Leaf, Loop, Scop, walk
from s2s.source import SourceBuffer, Span
from s2s.source.records import dataclass
from s2s.transforms.assume import assume_rows_apart
from s2s.transforms.contract import contract_all
from s2s.transforms.errors import NotApplicable, NothingToGain, OtherKind
from s2s.transforms.scop_pass import Look, ScopPass
from s2s.transforms.split import split_further
from s2s.transforms.team import team
from s2s.transforms.transformed import Transformed

if TYPE_CHECKING:
    from s2s.driver.rewrite import Rewriter
    from s2s.emitters.c.region import Rewritten


@dataclass(frozen=True)
class Declined:
    """Why a pass did not apply, and where in the source."""

    where: Span
    reason: str
    name: str
    needless: bool = False
    """Whether the pass is about something else, or would gain nothing."""


@dataclass(frozen=True)
class Taken:
    """What a pass made of a region."""

    name: str
    done: Transformed
    rewritten: Rewritten
    spec: str = ""
    apart: bool = False
    """Whether arrays were taken for disjoint, which the new code checks."""


@dataclass
class PassManager:
    """Runs passes on one region of a function; ``fallback`` is as in ``Emission``.

    ``shown`` is what the region's syntax shows: a pass that looks for nothing of it cannot take the
    region. Where regions are explained such a pass is asked all the same, why it would not.
    """

    unit: Unit
    options: Options
    function: str
    fallback: str | None = None
    shown: frozenset[Look] = frozenset(Look)
    _taken_apart: tuple[Analysis, Analysis | None] | None = field(default=None, repr=False)

    def first_taken(
        self, analysis: Analysis, specs: Sequence[str], declined: list[Declined]
    ) -> Taken | None:
        """The first pass that applies, and what it makes; the others go into ``declined``."""
        for spec in self.wanted(analysis, specs):
            name = passes.name_of(spec)
            try:
                done, rewritten = self.transform(analysis, spec)
                apart = done.scop.checked != analysis.scop.checked
                found = Taken(name, done, rewritten, spec, apart)
                if self._is_looked_for(spec):
                    return found
                text = "nothing that the pass looks for"
                declined.append(Declined(analysis.scop.span, text, name, needless=True))
            except (NotApplicable, Unprintable) as problem:
                where = analysis.scop.span
                if isinstance(problem, NotApplicable):
                    where = problem.where
                needless = isinstance(problem, NothingToGain)
                declined.append(Declined(where, str(problem), name, needless))
        return None

    def wanted(self, analysis: Analysis, specs: Sequence[str]) -> list[str]:
        """The passes on SCoPs that look for what is shown here.

        Without those that keep a task's calls where a callee's body is in its place.
        """
        inlined = _inlined_in_task(analysis.scop, self.unit.buffer)
        asked = [s for s in specs if self.options.explain or self._is_looked_for(s)]
        kinds = ((s, passes.find(passes.name_of(s))) for s in asked)
        return [
            s for s, kind in kinds
            if issubclass(kind, ScopPass) and not (inlined and kind.keeps_calls)
        ]  # fmt: skip

    def _is_looked_for(self, spec: str) -> bool:
        return not passes.known_of(spec)[1].isdisjoint(self.shown)

    def transform(self, analysis: Analysis, spec: str) -> tuple[Transformed, Rewritten]:
        """Run one pass; where aliases stand in its way, once more with arrays taken for disjoint.

        Raises NotApplicable or Unprintable.
        """
        bound = self.unit.vectorize.spacelimit(analysis.scop.span)
        chosen = make_pass(spec, self.options, spacelimit=bound)
        assert isinstance(chosen, ScopPass)
        try:
            return self._written(analysis, analysis, chosen)
        except OtherKind:
            raise
        except NotApplicable as first:
            apart = self.disjoint(analysis)
            if apart is None:
                raise first from None
            return self._written(analysis, apart, chosen)

    def _written(
        self, given: Analysis, analysis: Analysis, chosen: ScopPass
    ) -> tuple[Transformed, Rewritten]:
        """What a pass makes of a region, here ``given`` with arrays apart perhaps, and its text."""
        done = _made_by(chosen, analysis)
        if chosen.own_loops and _stands_elsewhere(done.scop, self.unit.buffer):
            raise NothingToGain(done.scop.span, "the loop stands in a function that is called")
        fallback = self.fallback
        if fallback is None and not self.options.force:
            fallback = self._otherwise(given, done)
        return done, self.writer(fallback).run(analysis, done)

    def _otherwise(self, analysis: Analysis, done: Transformed) -> str | None:
        """The text of the other branch where another pass makes something of it."""
        for spec in self.options.passes:
            if passes.name_of(spec) in done.otherwise:
                with suppress(NotApplicable, Unprintable):
                    edit = self.transform(analysis, spec)[1].edit
                    buffer = self.unit.buffer
                    head = buffer.data[buffer.line_start(edit.start) : edit.start]
                    blanks = b"" if head.strip() else head
                    return (blanks + edit.text).decode("utf-8", "surrogateescape")
        return None

    def writer(self, fallback: str | None = None) -> Rewriter:
        """What proves and prints a new order; ``fallback`` is as in ``Emission``."""
        from s2s.driver.rewrite import Rewriter  # brings what prints, and most regions stay

        fallback = self.fallback if fallback is None else fallback
        return Rewriter(self.unit, self.function, self.options.force, fallback)

    def disjoint(self, analysis: Analysis) -> Analysis | None:
        """The region with arrays taken for disjoint, analysed once for all passes."""
        if self._taken_apart is None or self._taken_apart[0] is not analysis:
            apart: Analysis | None = None
            with suppress(NotApplicable):
                apart = analyse(
                    contract_all(assume_rows_apart(analysis.whole)),
                    explicit=self.options.happens_before,
                )
            self._taken_apart = analysis, apart
        return self._taken_apart[1]


def _made_by(chosen: ScopPass, analysis: Analysis) -> Transformed:
    """What a pass makes of a region, its loops shared by one team where that is possible."""
    done = split_further(chosen.run(analysis.scop, analysis.pruned), analysis.pruned)
    same = done.instances is None and done.proof is None
    return replace(done, scop=team(done.scop, analysis.pruned if same else None))


def _stands_elsewhere(scop: Scop, buffer: SourceBuffer) -> bool:
    """Whether all loops that threads share are regions of their own where the source has them.

    That are those of a callee whose body is here, and the caller's without such a body inside.
    """
    elsewhere = {
        n for n in walk(scop.tree)
        if isinstance(n, Leaf) and buffer.stands_elsewhere(n.span.start)
    }  # fmt: skip
    if not elsewhere:
        return False
    from s2s.transforms.doall import shared_loops

    names = set(shared_loops(scop))
    return not any(
        isinstance(node, Loop)
        and node.variable.name in names
        and not buffer.stands_elsewhere(node.span.start)
        and not elsewhere.isdisjoint(walk(node))
        for node in walk(scop.tree)
    )


def _inlined_in_task(scop: Scop, buffer: SourceBuffer) -> bool:
    """Whether a task of the source's own has a callee's body in it."""
    return any(
        isinstance(node, Construct)
        and node.kind is Kind.TASK
        and buffer.is_own(node.span.start)
        and any(isinstance(n, Leaf) and not buffer.is_own(n.span.start) for n in walk(node))
        for node in walk(scop.tree)
    )
