"""One region: lifted, transformed, proved, emitted, read again."""

from __future__ import annotations

from collections.abc import Set
from contextlib import suppress
from dataclasses import field, replace
from functools import cache, cached_property, partial

import islpy as isl

from s2s.analyses.region import Analysis, analyse
from s2s.driver import passes
from s2s.driver.advice import Advice, Adviser, Region
from s2s.driver.asked_regions import AskedRegions
from s2s.driver.given_schedule import Entry
from s2s.driver.options import Options
from s2s.driver.pass_manager import Declined, PassManager, Taken
from s2s.driver.region_forms import Forms
from s2s.driver.regions import FORMS
from s2s.driver.remarks import Remarks
from s2s.emitters.c.errors import Unprintable
from s2s.frontends.c.counting_whiles import WHILE
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Attempt, Function
from s2s.frontends.c.unit import Unit
from s2s.scop.budget import budget
from s2s.source import Edit, Span
from s2s.source.diagnostics import Diagnostic, InternalError, Severity, UserError
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable
from s2s.transforms.scop_pass import Form, Look


@dataclass(frozen=True)
class _Tried:
    """The region that passes were asked about last, and what one made of it.

    ``first``: it is in the form that all regions have; ``separate``: each statement by itself.
    """

    analysis: Analysis
    found: Taken | None
    first: bool
    separate: bool


@dataclass
class RegionWork:
    """Asks the passes on SCoPs about regions; ``fallback`` and ``forms`` are as in ``Regions``."""

    unit: Unit
    options: Options
    remarks: Remarks
    fallback: str | None = None
    forms: tuple[Form, ...] = FORMS
    _tried: _Tried | None = field(default=None, repr=False)

    @cached_property
    def adviser(self) -> Adviser | None:
        """Who measures, if that is asked for."""
        tune = self.options.tune
        if tune is None:
            return None
        return tune.adviser(self.unit, replace(self.options, passes=self._specs))

    @property
    def asked(self) -> AskedRegions | None:
        """What the user has asked for in place of passes."""
        given = self.options.schedule
        return None if given is None else AskedRegions(given)

    @cached_property
    def _specs(self) -> tuple[str, ...]:
        return passes.of_form(self.options.passes, *self.forms)

    def edit(
        self, function: Function, attempt: Attempt, seen: frozenset[Look], claimed: Set[Span]
    ) -> Edit | None:
        """The edit of one region; None where it stays as it is, with a remark that says why.

        ``seen`` is what its syntax shows; ``claimed`` are loops that are left to passes on text.
        """
        self._tried = None
        with budget(self.remarks.allowance):
            work = partial(self._region, function, attempt, seen, claimed)
            edit = self.remarks.survive(attempt.span, work)
        self._record(function, edit)
        return edit

    def _record(self, function: Function, edit: Edit | None) -> None:
        """Keep data about a region, after all else and within a limit of its own.

        Whatever recording costs, what is done with this region and the later ones is the same.
        """
        tried = self._tried
        if self.options.record and tried is not None:
            found = None if edit is None else tried.found
            with suppress(isl.Error), budget():
                self.remarks.record(
                    function, tried.analysis, found, first=tried.first, separate=tried.separate
                )

    def _region(
        self, function: Function, attempt: Attempt, seen: frozenset[Look], claimed: Set[Span]
    ) -> Edit | None:
        """Try all passes, each on the form of the region that it takes."""
        attempt.checking = True
        forms = Forms(attempt, seen, self.options.happens_before)
        asked = self.asked.entry_of(function, attempt) if self.asked is not None else None
        if self.asked is not None and asked is None:
            return None
        if asked is not None and asked.way != "pass":
            return self._ordered(function, forms, asked)
        loop = attempt.statements[0]
        if forms.alone and loop.parts.get(WHILE, loop).span in claimed:
            return None
        analysis = forms.first()
        self.remarks.races(analysis.whole, analysis.races)
        declined: list[Declined] = []
        advice = self._advice(function, forms, analysis, seen)
        self.remarks.diagnostics += advice.diagnostics
        among = None if asked is None else _among(asked)
        manager = self._manager(function, seen, among=among)
        found, first = None, analysis
        specs_asked = advice.specs if asked is None else (asked.members["pass"].text(),)
        for form, specs in forms.all(analysis, specs_asked):
            found = manager.first_taken(form, specs, declined)
            if found is not None:
                analysis = form
                break
        if asked is not None and found is None:
            reason = declined[0].reason if declined else "nothing that the pass looks for"
            raise asked.members["pass"].wrong(f"the pass does not apply: {reason}")
        if found is None:
            self.remarks.declined(declined, attempt)
        else:
            self.remarks.taken(found, analysis.scop, advice)
        if self.options.explain:
            self.remarks.explain(function, analysis, declined, found)
        self._tried = _Tried(analysis, found, analysis is first, analysis is first and forms.alone)
        return found.rewritten.edit if found is not None else None

    def _ordered(self, function: Function, forms: Forms, asked: Entry) -> Edit:
        """The edit of a region in the order that is asked for. Raises UserError."""
        from s2s.driver.ordered import Ordered
        from s2s.driver.recording import recorder

        separate = asked.flag("separate")
        try:
            analysis = forms.first() if separate == forms.alone else forms.lifted(separate)
        except NotLiftable as problem:
            place = self.unit.buffer.place(problem.span)
            note = Diagnostic(Severity.NOTE, problem.reason, "lift", place)
            text = f"region '{asked.region}' is not understood: {problem.reason}"
            at = asked.name.at or place
            raise UserError(Diagnostic(Severity.ERROR, text, "schedule", at, (note,))) from None
        self.remarks.races(analysis.whole, analysis.races)
        manager = self._manager(function, frozenset(Look))
        found = Ordered(asked, analysis, manager, recorder(function)).taken()
        self.remarks.taken(found, analysis.scop, Advice(()))
        if self.options.explain:
            self.remarks.explain(function, analysis, [], found)
        self._tried = _Tried(analysis, found, True, separate)
        return found.rewritten.edit

    def _manager(
        self, function: Function, seen: frozenset[Look] = frozenset(Look), *,
        force: bool | None = None, among: tuple[str, ...] | None = None,
    ) -> PassManager:  # fmt: skip
        force = self.options.force if force is None else force
        specs = self.options.passes if among is None else among
        options = replace(self.options, force=force, tune=None, passes=specs)
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

    def sequence(self, function: Function, attempt: Attempt) -> list[Edit]:
        """The edit of a sequence of statements, if a pass has taken it."""
        with budget():
            work = partial(self._sequence, function, attempt)
            edit = self.remarks.survive(attempt.span, work)
        return [edit] if edit is not None else []

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


def _among(asked: Entry) -> tuple[str, ...]:
    """The passes among which the one of an entry was chosen: others make its other branch."""
    given = asked.members.get("among")
    return tuple(passes.DEFAULT) if given is None else tuple(given.texts())
