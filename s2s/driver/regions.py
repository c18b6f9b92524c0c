"""The regions of a function: lifted, transformed, proved, emitted, read again.

Nothing here is fatal for a file: what cannot be lifted, is not legal or has no gain stays as it is,
with a remark; a defect of s2s leaves the region as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial

import islpy as isl

from s2s.analyses.region import Analysis, analyse
from s2s.driver import passes
from s2s.driver.advice import Advice, Adviser, Region
from s2s.driver.looks import is_shown_inside, shown
from s2s.driver.options import Options
from s2s.driver.pass_manager import Declined, PassManager
from s2s.driver.preparations import Preparations
from s2s.driver.region_forms import Forms
from s2s.driver.remarks import Remarks
from s2s.emitters.c.guard import Unprintable
from s2s.frontends.c.forwardable import forwardable
from s2s.frontends.c.parse import Unit
from s2s.frontends.c.prepare import Configuration, Prepared, only_under
from s2s.frontends.c.regions import Attempt, Function, candidates, inner_candidates
from s2s.scop.budget import budget
from s2s.source import Edit, Span
from s2s.source.diagnostics import InternalError
from s2s.transforms.errors import NotApplicable
from s2s.transforms.scop_pass import Form, Look

_FORMS = (Form.REGION, Form.SEPARATE, Form.LOOPS)


@dataclass
class Regions:
    """Asks the passes on SCoPs about the regions of functions.

    ``claimed`` are innermost loops that are left to passes on text; ``fallback`` is the source's
    text of a prepared region.
    """

    unit: Unit
    options: Options
    remarks: Remarks
    claimed: frozenset[Span] = frozenset()
    fallback: str | None = None
    _preparations: Preparations = field(init=False)

    def __post_init__(self) -> None:
        self._preparations = Preparations(self.remarks)

    @cached_property
    def adviser(self) -> Adviser | None:
        """Who measures, if that is asked for."""
        tune = self.options.tune
        if tune is None:
            return None
        return tune.adviser(self.unit, replace(self.options, passes=self._specs))

    @cached_property
    def _specs(self) -> tuple[str, ...]:
        return passes.of_form(self.options.passes, *_FORMS)

    @cached_property
    def _asked(self) -> frozenset[Look]:
        return passes.looks_for(self.options.passes, *_FORMS)

    def edits(self, function: Function) -> Iterator[Edit]:
        """The edits of the regions of a function that were transformed."""
        for attempt in candidates(function):
            yield from self._attempt(function, attempt)

    def sequences(self, function: Function, done: Sequence[Edit]) -> list[Edit]:
        """The edits of sequences of statements that no edit covers."""
        found: list[Edit] = []
        copies = Look.COPY in passes.looks_for(self.options.passes, Form.SEQUENCE)
        for attempt in forwardable(function) if copies else ():
            taken = [Span(e.start, e.end) for e in (*done, *found)]
            if not any(attempt.span.overlaps(span) for span in (*taken, *function.off)):
                with budget():
                    work = partial(self._sequence, function, attempt)
                    edit = self.remarks.survive(attempt.span, work)
                found += [edit] if edit is not None else []
        return found

    def _sequence(self, function: Function, attempt: Attempt) -> Edit | None:
        analysis = analyse(attempt.scop(), explicit=self.options.happens_before)
        declined: list[Declined] = []
        specs = passes.of_form(self.options.passes, Form.SEQUENCE)
        found = self._manager(function).first_taken(analysis, specs, declined)
        if found is None:
            self.remarks.declined(declined, attempt)
            return None
        self.remarks.taken(found, analysis.scop, Advice(specs))
        return found.rewritten.edit

    def _attempt(self, function: Function, attempt: Attempt) -> list[Edit]:
        """Try a statement, prepared if it can be, then what is inside it."""
        calls_loops = self._preparations.calls_loops(attempt)
        seen = shown(attempt, self._asked)
        hopeful = self.options.explain or bool(seen)
        if not hopeful and not calls_loops and not is_shown_inside(attempt, self._asked):
            return []
        prepare = self._preparations
        under = prepare.configuration(attempt) if hopeful or calls_loops else None
        if under is not None:
            edit = self.remarks.survive(attempt.span, lambda: self._prepared(attempt, under))
            if edit is None and hopeful and under.closing is None:
                edit = self._try(function, attempt, seen)
                edit = edit and only_under(self.unit.buffer, edit, under.conditions)
            if edit is not None:
                return [edit]
        inner: list[Edit] = []
        for candidate in inner_candidates(attempt):
            inner += self._attempt(function, candidate)
        return inner

    def _prepared(self, attempt: Attempt, under: Configuration) -> Edit | None:
        """The edit of a region whose prepared text is transformed."""
        prepared = self._preparations.prepare(attempt, under)
        edit = None if prepared is None else self._try_prepared(prepared, under)
        self._preparations.say_why_not(attempt, prepared, useless=edit is None)
        return edit

    def _try_prepared(self, prepared: Prepared, under: Configuration) -> Edit | None:
        seen = shown(prepared.attempt, self._asked)
        if not (self.options.explain or seen):
            return None
        options, here = self.options, self.remarks
        if self.adviser is not None:
            options = replace(options, tune=self.adviser.for_the_rest())
        there = Remarks(prepared.unit, options, here.allowance)
        again = Regions(prepared.unit, options, there, fallback=prepared.fallback)
        edit = again._try(prepared.attempt.function, prepared.attempt, seen)
        if self.adviser is not None and again.adviser is not None:
            self.adviser.named |= again.adviser.named
        here.diagnostics += [d for d in there.diagnostics if d not in here.diagnostics]
        if edit is None:
            return None
        here.parts += there.parts
        return prepared.edit(edit, under.conditions)

    def _try(self, function: Function, attempt: Attempt, seen: frozenset[Look]) -> Edit | None:
        """The edit of one region; None where it stays as it is, with a remark that says why."""
        with budget(self.remarks.allowance):
            work = partial(self._region, function, attempt, seen)
            return self.remarks.survive(attempt.span, work)

    def _region(self, function: Function, attempt: Attempt, seen: frozenset[Look]) -> Edit | None:
        """Try all passes, each on the form of the region that it takes."""
        forms = Forms(attempt, seen, self.options.happens_before)
        if forms.alone and attempt.statements[0].span in self.claimed:
            return None
        analysis = forms.first()
        self.remarks.races(analysis.whole, analysis.races)
        declined: list[Declined] = []
        advice = self._advice(function, forms, analysis, seen)
        self.remarks.diagnostics += advice.diagnostics
        manager = self._manager(function, seen)
        found = None
        for form, specs in forms.all(analysis, advice.specs):
            found = manager.first_taken(form, specs, declined)
            if found is not None:
                analysis = form
                break
        if found is None:
            self.remarks.declined(declined, attempt)
        else:
            self.remarks.taken(found, analysis.scop, advice)
        if self.options.explain:
            self.remarks.explain(function, analysis, declined, found)
        return found.rewritten.edit if found is not None else None

    def _manager(
        self, function: Function, seen: frozenset[Look] = frozenset(Look), *,
        force: bool | None = None,
    ) -> PassManager:  # fmt: skip
        force = self.options.force if force is None else force
        options = replace(self.options, force=force, tune=None)
        return PassManager(self.unit, options, function.node.name, self.fallback, seen)

    def _advice(
        self, function: Function, forms: Forms, analysis: Analysis, seen: frozenset[Look]
    ) -> Advice:
        """Which passes to try: all of them in their order, or what ``--tune`` has measured."""
        if self.adviser is None:
            return Advice(self._specs)
        trial = {force: self._manager(function, seen, force=force) for force in (False, True)}
        others = cache(lambda: tuple(forms.others(analysis.scop)))
        separate = cache(lambda: tuple(filter(None, [forms.separate()])))

        def edit_of(spec: str, force: bool) -> Edit | None:
            separates = bool(passes.of_form((spec,), Form.SEPARATE))
            for made in (separate,) if separates else (lambda: (analysis,), others):
                with suppress(isl.Error), budget():
                    for form in made():
                        with suppress(NotApplicable, Unprintable, InternalError):
                            if trial[force].wanted(form, (spec,)):
                                return trial[force].transform(form, spec)[1].edit
            return None

        return self.adviser.advise(Region(function, forms.attempt, analysis.scop, edit_of))
