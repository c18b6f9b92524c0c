"""The regions of one parsed file: lifted, transformed, proved, emitted, read again.

Nothing here is fatal for a file: what cannot be lifted, is not legal or has no gain stays as it is,
with a remark; a defect of s2s leaves the region as it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import TypeVar

import islpy as isl

from s2s.analyses.races import certain_races
from s2s.analyses.region import Analysis, analyse
from s2s.analyses.schedule_steps import letters
from s2s.driver import passes
from s2s.driver.advice import Advice, Adviser, Region
from s2s.driver.explain.cycles import cycles_of
from s2s.driver.explain.region import describe
from s2s.driver.options import Options
from s2s.driver.other_forms import other_forms
from s2s.driver.pass_manager import Declined, PassManager, Taken
from s2s.driver.promising import promising, promising_inside
from s2s.driver.race_reports import places, race_warnings
from s2s.driver.wanted import vectorizes
from s2s.emitters.c.guard import Unprintable
from s2s.frontends.c.forwardable import forwardable
from s2s.frontends.c.lift import NotLiftable
from s2s.frontends.c.parse import Unit
from s2s.frontends.c.prepare import (
    Callees,
    Configuration,
    Prepared,
    Text,
    Undecided,
    calls_with_loops,
    configuration,
    has_preparations,
    in_front,
    only_under,
    prepare,
)
from s2s.frontends.c.regions import Attempt, Function, candidates, inner_candidates, observed
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.vector_look import is_vector_loop
from s2s.rewriters.aligned import aligned
from s2s.rewriters.balance import Balance
from s2s.rewriters.idioms.apply import check, rewritten
from s2s.rewriters.idioms.idioms import Idioms, Rewrite
from s2s.rewriters.unrolled import unrolled
from s2s.scop.budget import Allowance, budget, is_over
from s2s.scop.nodes import Loop, Scop, walk
from s2s.source import Edit, Span
from s2s.source.compiler import family
from s2s.source.diagnostics import Diagnostic, InternalError, Severity
from s2s.transforms.errors import NotApplicable

_OnText = TypeVar("_OnText", Balance, Idioms)


@dataclass
class Pipeline:
    """Works through functions; ``diagnostics`` and ``explanation`` are filled by ``run``.

    ``fallback`` is the source's text of a prepared region.
    """

    unit: Unit
    options: Options
    functions: list[Function]
    diagnostics: list[Diagnostic] = field(default_factory=list)
    fallback: str | None = None
    allowance: Allowance = field(default_factory=Allowance)
    _parts: list[str] = field(default_factory=list)
    _left: frozenset[Span] = frozenset()
    _described: list[Span] = field(default_factory=list)
    _searches: list[Node] = field(default_factory=list)

    @cached_property
    def _tuner(self) -> Adviser | None:
        tune = self.options.tune
        return None if tune is None else tune.adviser(self.unit, self.options)

    @property
    def explanation(self) -> str:
        return "\n".join(self._parts)

    def run(self) -> list[Edit]:
        """The edits of all regions that were transformed."""
        balance, idioms = self._without(Balance), self._without(Idioms)
        forwards = self._sequences()
        edits: list[Edit] = []
        rewrites: list[Edit] = []
        self._searches.clear()
        for function in self.functions:
            self._left = idioms.ahead(function) if idioms is not None else frozenset()
            for attempt in candidates(function):
                edits += self._attempt(function, attempt)
            if balance is not None:
                edits += self._schedules(function, balance, edits)
            if idioms is not None:
                rewrites += self._idioms(function, idioms, edits)
            if forwards:
                edits += self._forwarded(function, forwards, [*edits, *rewrites])
            if self.options.explain:
                self._observe(function)
                self._parts += cycles_of(function, self.options.spacelimit)
        edits += self._checked(rewrites)
        if family(self.options.compiler) == "gcc":
            for function in self.functions:
                edits += list(unrolled(function, self._searches, edits))
        for function in self.functions:
            edits = aligned(function, edits)
        if self._tuner is not None:
            self.diagnostics += self._tuner.unknown_sizes()
        return self._executed(edits) if self.options.check else edits

    def _executed(self, edits: list[Edit]) -> list[Edit]:
        """The edits without those that do not do what the source does."""
        if not edits:
            return edits
        from s2s.net.check import Net

        net = Net(self.unit, self.options.reassociate, self.options.strict)
        for failure in list(net.failures(edits)):
            if self.options.strict:
                raise failure.problem
            edits = [e for e in edits if e not in failure.edits]
            self._withdraw(failure.where)
            text = f"internal error: {failure.problem}; left as it was"
            self._missed(failure.where, text, "internal")
        return edits

    def _withdraw(self, where: Span) -> None:
        """Take back what was said about edits that are not made."""
        place = self.unit.buffer.location(where)
        self.diagnostics = [
            d for d in self.diagnostics
            if d.severity is not Severity.REMARK or d.location is None
            or not place.line <= d.location.line <= place.end_line
        ]  # fmt: skip

    def _without(self, kind: type[_OnText]) -> _OnText | None:
        """A pass that edits the text of functions, taken from those that work on regions."""
        options = self.options
        chosen = [s for s in options.passes if passes.name_of(s) == kind.name]
        self.options = replace(options, passes=tuple(s for s in options.passes if s not in chosen))
        for spec in chosen[:1]:
            made = passes.make(spec, reassociate=options.reassociate, compiler=options.compiler)
            if isinstance(made, kind):
                return made
        return None

    def _sequences(self) -> tuple[str, ...]:
        """The passes that work on sequences of statements, taken from those on regions."""
        options = self.options
        chosen = tuple(s for s in options.passes if passes.takes_sequences(passes.name_of(s)))
        self.options = replace(options, passes=tuple(s for s in options.passes if s not in chosen))
        return chosen

    def _forwarded(
        self, function: Function, specs: tuple[str, ...], done: Sequence[Edit]
    ) -> list[Edit]:
        """Copies of local arrays that are left out, where no region's edit is."""
        found: list[Edit] = []
        for attempt in forwardable(function):
            taken = [Span(e.start, e.end) for e in (*done, *found)]
            off = function.off
            if not any(attempt.span.overlaps(span) for span in (*taken, *off)):
                with budget():
                    work = partial(self._sequence, function, attempt, specs)
                    edit = self._survive(attempt, work)
                found += [edit] if edit is not None else []
        return found

    def _sequence(
        self, function: Function, attempt: Attempt, specs: tuple[str, ...]
    ) -> Edit | None:
        analysis = self._analyse(attempt.scop())
        declined: list[Declined] = []
        found = self._manager(function).first_taken(analysis, specs, declined)
        if found is None:
            self._say_declined(declined, attempt)
            return None
        self._say_taken(found, analysis.scop, Advice(specs))
        return found.rewritten.edit

    def _idioms(self, function: Function, idioms: Idioms, done: Sequence[Edit]) -> list[Edit]:
        """New loops for those of a function that no region's edit covers."""
        found = []
        for change in self._rewritten(function, idioms, done):
            where = self.unit.buffer.location(change.where.span)
            severity = Severity.MISSED if change.edit is None else Severity.REMARK
            self.diagnostics.append(Diagnostic(severity, change.reason, Idioms.name, where))
            found += [change.edit] if change.edit is not None else []
        return found

    def _schedules(self, function: Function, balance: Balance, done: Sequence[Edit]) -> list[Edit]:
        """Schedules for loops of a function that no region's edit covers."""
        found = []
        for change in balance.edits(function):
            place = change.edit.start
            if any(edit.start <= place < edit.end for edit in done):
                continue
            text = f"dynamic schedule: {change.reason}"
            where = self.unit.buffer.location(change.loop.span)
            self.diagnostics.append(Diagnostic(Severity.REMARK, text, Balance.name, where))
            found.append(change.edit)
            self._searches += change.searches
        return found

    def _rewritten(self, function: Function, idioms: Idioms, done: Sequence[Edit]) -> list[Rewrite]:
        try:
            return list(rewritten(function, idioms, done))
        except Exception as problem:
            if self.options.strict:
                raise
            text = f"internal error: {type(problem).__name__}: {_short(problem)}; left as it was"
            self._missed(function.node.span, text, "internal")
            return []

    def _checked(self, edits: list[Edit]) -> list[Edit]:
        """The new loops if the file parses with them."""
        try:
            if edits:
                check(self.unit, edits)
            return edits
        except InternalError as problem:
            if self.options.strict:
                raise
            where = Span(edits[0].start, edits[0].end)
            self._missed(where, f"internal error: {problem}; left as it was", "internal")
            return []

    def _observe(self, function: Function) -> None:
        """Report the races of regions that need not be such as can be transformed."""
        for attempt in observed(function):
            found: list[Scop] = []
            with budget(self.allowance):
                self._survive(attempt, partial(self._observed_races, attempt, found))
            covered = any(_covers(span, attempt.span) for span in self._described)
            for scop in () if covered else found:
                with budget(self.allowance):
                    self._survive(attempt, partial(self._describe_observed, attempt, scop))

    def _observed_races(self, attempt: Attempt, found: list[Scop]) -> None:
        with suppress(NotLiftable):  # what could be transformed has had its remark
            scop = attempt.scop()
            self._report_races(scop, certain_races(scop))
            found.append(scop)

    def _describe_observed(self, attempt: Attempt, scop: Scop) -> None:
        self._describe(attempt.function, analyse(scop), scop, "looked at for races only")

    def _attempt(self, function: Function, attempt: Attempt) -> list[Edit]:
        """Try a statement, prepared if it can be, then what is inside it."""
        calls_loops = calls_with_loops(attempt, self._callees)
        specs = self.options.passes
        hopeful = self.options.explain or promising(attempt, specs)
        if not hopeful and not calls_loops and not promising_inside(attempt, specs):
            return []
        under = self._configuration(attempt) if hopeful or calls_loops else None
        if under is not None:
            edit = self._survive(attempt, lambda: self._prepared(attempt, under))
            if edit is None and hopeful and under.closing is None:
                edit = self._try(function, attempt)
                edit = edit and only_under(self.unit.buffer, edit, under.conditions)
            if edit is not None:
                return [edit]
        inner: list[Edit] = []
        for candidate in inner_candidates(attempt):
            inner += self._attempt(function, candidate)
        return inner

    @cached_property
    def _callees(self) -> Callees:
        return Callees(self.unit)

    def _configuration(self, attempt: Attempt) -> Configuration | None:
        """The preprocessor's conditions in a region; None where it must stay because of them."""
        try:
            text = Text(self.unit.buffer.data, attempt.whole, self.unit.skipped)
            always, statement = self._callees.always_defined, attempt.statements[0].span.start
            before = configuration(in_front(text, attempt.span.start), always).conditions
            inside = configuration(text, always, statement)
            return replace(inside, conditions=(*before, *inside.conditions))
        except (Undecided, NotLiftable) as problem:
            self._missed(attempt.span, str(problem), "lift")
            return None

    def _prepared(self, attempt: Attempt, under: Configuration) -> Edit | None:
        """The edit of a region whose prepared text is transformed."""
        if under.closing is None and not has_preparations(attempt, self._callees):
            return None
        prepared = prepare(attempt, self._callees, closing=under.closing)
        edit = None if prepared is None else self._try_prepared(prepared, under)
        notes = [(self.unit, note) for note in attempt.lifter.notes]
        attempt.lifter.notes.clear()
        if prepared is not None:
            notes += [(prepared.unit, note) for note in prepared.attempt.lifter.notes]
        for unit, (span, text) in notes if edit is None else ():
            if "is not inlined" in text:
                self._missed(span, text, "inline", unit)
        return edit

    def _try_prepared(self, prepared: Prepared, under: Configuration) -> Edit | None:
        if not (self.options.explain or promising(prepared.attempt, self.options.passes)):
            return None
        options = self.options
        if self._tuner is not None:
            options = replace(options, tune=self._tuner.for_the_rest())
        again = Pipeline(
            prepared.unit, options, [], fallback=prepared.fallback, allowance=self.allowance
        )
        edit = again._try(prepared.attempt.function, prepared.attempt)
        if self._tuner is not None and again._tuner is not None:
            self._tuner.named |= again._tuner.named
        self.diagnostics += [d for d in again.diagnostics if d not in self.diagnostics]
        if edit is None:
            return None
        self._parts += again._parts
        return prepared.edit(edit, under.conditions)

    def _try(self, function: Function, attempt: Attempt) -> Edit | None:
        """The edit of one region; None where it stays as it is, with a remark that says why."""
        with budget(self.allowance):
            return self._survive(attempt, lambda: self._region(function, attempt))

    def _survive(self, attempt: Attempt, work: Callable[[], Edit | None]) -> Edit | None:
        """What ``work`` gives; None with a remark where it cannot be done or fails."""
        try:
            return work()
        except NotLiftable as problem:
            self._missed(problem.span, problem.reason, "lift")
        except isl.Error as problem:
            over = is_over(problem)
            if self.options.strict and not over:
                raise
            why = self._too_long() if over else _short(problem)
            self._missed(attempt.span, f"given up: {why}", "budget")
        except InternalError as problem:
            if self.options.strict:
                raise
            self._missed(attempt.span, f"internal error: {problem}; left as it was", "internal")
        except Exception as problem:
            if self.options.strict:
                raise
            text = f"internal error: {type(problem).__name__}: {_short(problem)}; left as it was"
            self._missed(attempt.span, text, "internal")
        return None

    def _too_long(self) -> str:
        all_ = "computations of this file take" if self.allowance.is_short else "computation takes"
        return f"the polyhedral {all_} too long"

    def _region(self, function: Function, attempt: Attempt) -> Edit | None:
        """Try all passes, each on the form of the region that it takes."""
        alone = is_vector_loop(attempt) and vectorizes(self.options.passes)
        if alone and attempt.statements[0].span in self._left:
            return None
        analysis = self._analyse(attempt.scop(separate=alone))
        self._report_races(analysis.whole, analysis.races)
        declined: list[Declined] = []
        advice = self._advice(function, attempt, analysis)
        self.diagnostics += advice.diagnostics
        manager = self._manager(function)
        found = None
        for form, specs in self._forms(attempt, analysis, advice.specs, alone=alone):
            found = manager.first_taken(form, specs, declined)
            if found is not None:
                analysis = form
                break
        if found is None:
            self._say_declined(declined, attempt)
        else:
            self._say_taken(found, analysis.scop, advice)
        if self.options.explain:
            self._explain(function, analysis, declined, found)
        return found.rewritten.edit if found is not None else None

    def _forms(
        self, attempt: Attempt, first: Analysis, specs: Sequence[str], *, alone: bool
    ) -> Iterator[tuple[Analysis, Sequence[str]]]:
        """The region's forms with the passes that take them so.

        Passes for vectors take every statement for itself; an innermost loop ``alone`` is there for
        those passes, at last with statements merged that share a private scalar, and for others
        that say so. These have a nest when nothing else has made another one of it.
        """
        separating = [s for s in specs if passes.separates(passes.name_of(s))]
        single = [s for s in specs if passes.takes_single_loops(passes.name_of(s))]
        others = [s for s in specs if s not in separating and s not in single]
        if alone:
            yield first, separating
            merged = self._merged(attempt)
            if merged is not None:
                yield merged, single
                if any(s.locals for s in merged.scop.statements):
                    yield merged, separating
            return
        if others:
            yield first, others
            for form in self._other_forms(attempt, first.scop):
                yield form, others
        yield first, single
        # Constructs keep their places in those passes.
        directed = bool(attempt.lifter.attached.within(attempt.span))
        separate = self._separate(attempt) if separating and not directed else None
        if separate is not None:
            yield separate, separating

    def _separate(self, attempt: Attempt) -> Analysis | None:
        """The region with every statement for itself; None where that has no form."""
        try:
            return self._analyse(attempt.again().scop(separate=True))
        except NotLiftable:
            return None

    def _merged(self, attempt: Attempt) -> Analysis | None:
        """The region with statements that share private scalars in one; None if it has no form."""
        try:
            return self._analyse(attempt.again().scop())
        except NotLiftable:
            return None

    def _manager(self, function: Function, *, force: bool | None = None) -> PassManager:
        force = self.options.force if force is None else force
        options = replace(self.options, force=force, tune=None)
        return PassManager(self.unit, options, function.node.name, self.fallback)

    def _other_forms(self, attempt: Attempt, merged: Scop) -> Iterator[Analysis]:
        return other_forms(attempt, merged, self.unit.buffer, explicit=self.options.happens_before)

    def _advice(self, function: Function, attempt: Attempt, analysis: Analysis) -> Advice:
        """Which passes to try: all of them in their order, or what ``--tune`` has measured."""
        if self._tuner is None:
            return Advice(self.options.passes)
        trial = {force: self._manager(function, force=force) for force in (False, True)}
        others = cache(lambda: tuple(self._other_forms(attempt, analysis.scop)))
        separate = cache(lambda: tuple(filter(None, [self._separate(attempt)])))

        def edit_of(spec: str, force: bool) -> Edit | None:
            separates = passes.separates(passes.name_of(spec))
            for forms in (separate,) if separates else (lambda: (analysis,), others):
                with suppress(isl.Error), budget():
                    for form in forms():
                        with suppress(NotApplicable, Unprintable, InternalError):
                            if trial[force].wanted(form, (spec,)):
                                return trial[force].transform(form, spec)[1].edit
            return None

        return self._tuner.advise(Region(function, attempt, analysis.scop, edit_of))

    def _analyse(self, scop: Scop) -> Analysis:
        return analyse(scop, explicit=self.options.happens_before)

    def _report_races(self, scop: Scop, races: isl.UnionMap) -> None:
        said = {places(d) for d in self.diagnostics if d.id == "race"}
        for warning in race_warnings(self.unit.buffer, scop, races):
            if places(warning) not in said:
                self.diagnostics.append(warning)

    # -- words ------------------------------------------------------------------------------

    def _missed(self, span: Span, text: str, id_: str, unit: Unit | None = None) -> None:
        place = (unit or self.unit).buffer.location(span)
        said = Diagnostic(Severity.MISSED, text, id_, place)
        if said not in self.diagnostics:
            self.diagnostics.append(said)

    def _say_taken(self, found: Taken, scop: Scop, advice: Advice) -> None:
        place = self.unit.buffer.location(_first_loop(scop))
        history = found.done.scop.history
        said = Diagnostic(Severity.REMARK, history[0] + advice.remark, found.name, place)
        self.diagnostics.append(replace(said, letters=letters(found.done.scop)))

    def _explain(
        self, function: Function, analysis: Analysis, declined: list[Declined], found: Taken | None
    ) -> None:
        outcome = "; ".join(f"{d.reason} [{d.name}]" for d in declined)
        scop = analysis.scop
        if found is not None:
            scop = found.done.scop
            outcome = f"{', '.join(scop.history)} [{found.name}]"
        self._describe(function, analysis, scop, outcome)

    def _describe(self, function: Function, analysis: Analysis, scop: Scop, outcome: str) -> None:
        """Explain a region: what was found, and ``scop``, what became of it."""
        self._described.append(scop.span)
        self._parts.append(
            describe(self.unit.buffer, function.node.name, analysis.scop, analysis.conservative,
                     analysis.ordered, analysis.pruned, analysis.races, outcome, scop)
        )  # fmt: skip

    def _say_declined(self, declined: list[Declined], attempt: Attempt) -> None:
        """One message for a region that no pass took; what else matters stands in its notes."""
        notes = [
            Diagnostic(Severity.NOTE, d.reason, d.name, self.unit.buffer.location(d.where))
            for d in declined[1:]
        ]
        others = [note for note in attempt.notes if "is not inlined" not in note[1]]
        for span, text in others[:8]:
            if text.startswith("call"):
                self._missed(span, text, "effects")
            else:
                place = self.unit.buffer.location(span)
                notes.append(Diagnostic(Severity.NOTE, text, "lift", place))
        if not declined:
            return
        first = declined[0]
        place = self.unit.buffer.location(first.where)
        self.diagnostics.append(
            Diagnostic(Severity.MISSED, first.reason, first.name, place, tuple(notes))
        )


def _first_loop(scop: Scop) -> Span:
    return next((n.span for n in walk(scop.tree) if isinstance(n, Loop)), scop.span)


def _covers(one: Span, other: Span) -> bool:
    return one.start <= other.start and other.end <= one.end


def _short(error: BaseException) -> str:
    return re.sub(r"\s+", " ", str(error))[:120]
