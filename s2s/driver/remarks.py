"""What is said about the regions of one file: remarks, races, and the explanation of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, TypeVar

from s2s.driver.options import Options
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.unit import Unit
from s2s.scop.allowance import Allowance
from s2s.scop.nodes import Loop, Scop, walk
from s2s.source import Span
from s2s.source.diagnostics import Diagnostic, InternalError, Severity, UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import islpy as isl

    from s2s.analyses.region import Analysis
    from s2s.driver.advice import Advice
    from s2s.driver.pass_manager import Declined, Taken
    from s2s.driver.results import Region
    from s2s.frontends.c.regions import Attempt, Function
    from s2s.source import Edit

_T = TypeVar("_T")


@dataclass
class Remarks:
    """Collects ``diagnostics`` and the ``parts`` of an explanation; ``described`` are these.

    ``allowance`` is what is left of the polyhedral computations of the file. ``racing`` are the
    places of all races that regions have, told or not, where somebody asks for them.
    """

    unit: Unit
    options: Options
    allowance: Allowance
    diagnostics: list[Diagnostic] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    described: list[Span] = field(default_factory=list)
    recorded: list[tuple[Span, Region]] = field(default_factory=list)
    racing: set[frozenset[tuple[str, int, int]]] | None = None

    def survive(self, span: Span, work: Callable[[], _T]) -> _T | None:
        """What ``work`` gives; None with a remark where it cannot be done or fails."""
        try:
            return work()
        except UserError:
            raise
        except NotLiftable as problem:
            self.missed(problem.span, problem.reason, "lift")
        except Exception as problem:
            if not self._is_given_up(span, problem):
                self.failed(span, problem)
        return None

    def _is_given_up(self, span: Span, problem: Exception) -> bool:
        """Whether isl has given up, which is said then; under ``--strict`` only for the limit."""
        import islpy as isl  # 0.1 s that a file without regions does not need

        from s2s.scop.budget import is_over

        if not isinstance(problem, isl.Error):
            return False
        over = is_over(problem)
        if self.options.strict and not over:
            return False
        why = self._too_long() if over else _short(problem)
        self.missed(span, f"given up: {why}", "budget")
        return True

    def failed(self, span: Span, problem: Exception) -> None:
        """Say that a defect of s2s keeps a place as it was; under ``--strict`` it is raised."""
        if self.options.strict:
            raise problem
        what = f"{type(problem).__name__}: {_short(problem)}"
        what = str(problem) if isinstance(problem, InternalError) else what
        self.missed(span, f"internal error: {what}; left as it was", "internal")

    def _too_long(self) -> str:
        all_ = "computations of this file take" if self.allowance.is_short else "computation takes"
        return f"the polyhedral {all_} too long"

    def belongs(self, said: list[Diagnostic], span: Span) -> None:
        """Note which region all is about that was said beyond what had been ``said``."""
        region = self.unit.buffer.location(span)
        count = next(
            (i for i, (a, b) in enumerate(zip(said, self.diagnostics, strict=False)) if a is not b),
            min(len(said), len(self.diagnostics)),
        )
        later = (replace(d, region=d.region or region) for d in self.diagnostics[count:])
        self.diagnostics[count:] = list(later)

    def tried_again(self, span: Span, said: Remarks, *, changed: bool) -> None:
        """Take what was ``said`` when a region was tried again: why it stays was said before.

        If it has ``changed`` after all, that is said in place of why it would stay.
        """
        place = self.unit.buffer.location(span)
        inside = [
            d for d in self.diagnostics
            if d.severity is Severity.MISSED and d.location is not None
            and place.line <= d.location.line <= place.end_line
        ]  # fmt: skip
        if changed:
            self.diagnostics = [d for d in self.diagnostics if d not in inside]
            self.recorded = [r for r in self.recorded if not r[0].overlaps(span)] + said.recorded
            self.parts += said.parts
            self.described += said.described
        if changed or not inside:
            known = {replace(d, region=None) for d in self.diagnostics}
            new = (d for d in said.diagnostics if d not in known)
            self.diagnostics += [replace(d, region=place) for d in new]

    def withdraw(self, where: Span) -> None:
        """Take back what was said about edits that are not made."""
        place = self.unit.buffer.location(where)
        self.diagnostics = [
            d for d in self.diagnostics
            if d.severity is not Severity.REMARK or d.location is None
            or not place.line <= d.location.line <= place.end_line
        ]  # fmt: skip

    def races(self, scop: Scop, races: isl.UnionMap) -> None:
        """Warn of data races of the source that are not told yet."""
        from s2s.driver.race_reports import few_of, places, race_warnings

        found = race_warnings(self.unit.buffer, scop, races)
        if self.racing is not None:
            self.racing.update(places(w) for warnings in found.values() for w in warnings)
        self.diagnostics += few_of(found, [d for d in self.diagnostics if d.id == "race"])

    def missed(self, span: Span, text: str, id_: str, unit: Unit | None = None) -> None:
        """Say why something stays as it is, once; ``unit`` is the file that ``span`` is in."""
        place = (unit or self.unit).buffer.location(span)
        said = Diagnostic(Severity.MISSED, text, id_, place)
        if said not in self.diagnostics:
            self.diagnostics.append(said)

    def taken(self, found: Taken, scop: Scop, advice: Advice) -> None:
        """The remark of a region that a pass has taken."""
        from s2s.analyses.schedule_steps import letters

        place = self.unit.buffer.location(_first_loop(scop))
        history = found.done.scop.history
        said = Diagnostic(Severity.REMARK, history[0] + advice.remark, found.name, place)
        self.diagnostics.append(replace(said, letters=letters(found.done.scop)))

    def explain(
        self, function: Function, analysis: Analysis, declined: list[Declined], found: Taken | None
    ) -> None:
        """Explain a region that passes were asked about."""
        outcome = "; ".join(f"{d.reason} [{d.name}]" for d in declined)
        scop = analysis.scop
        if found is not None:
            scop = found.done.scop
            outcome = f"{', '.join(scop.history)} [{found.name}]"
        self.describe(function, analysis, scop, outcome)

    def describe(self, function: Function, analysis: Analysis, scop: Scop, outcome: str) -> None:
        """Explain a region: what was found, and ``scop``, what became of it."""
        from s2s.driver.explain.region import describe

        self.described.append(scop.span)
        self.parts.append(
            describe(self.unit.buffer, function.node.name, analysis.scop, analysis.conservative,
                     analysis.ordered, analysis.pruned, analysis.races, outcome, scop)
        )  # fmt: skip

    def record(
        self, function: Function, analysis: Analysis, found: Taken | None, *, first: bool = True,
        separate: bool = False,
    ) -> None:  # fmt: skip
        """Keep data about a region; ``first``: it is in the form that all regions have."""
        from s2s.driver.passes import DEFAULT
        from s2s.driver.recording import recorder
        from s2s.driver.saved_schedule import saved

        made = recorder(function).region(analysis, found)
        if found is not None:
            passes = self.options.passes
            among = () if passes == tuple(DEFAULT) else passes
            kept = saved(made, analysis, found, first=first, separate=separate, among=among)
            made = replace(made, saved=kept)
        self.recorded.append((analysis.scop.span, made))

    def regions(self, edits: Sequence[Edit]) -> tuple[Region, ...]:
        """The data about regions of which none is inside another one, by what was edited.

        Of a region and those inside it these count where one of them has changed.
        """
        changed = [
            (span, replace(region, status="changed" if _is_edited(span, edits) else "unchanged"))
            for span, region in self.recorded
        ]
        chosen: list[tuple[Span, Region]] = []
        for span, region in sorted(changed, key=lambda pair: not pair[1].pass_name):
            if not any(span.overlaps(other) for other, _ in chosen):
                chosen.append((span, region))
        return tuple(region for _, region in sorted(chosen, key=lambda pair: pair[0]))

    def declined(self, declined: list[Declined], attempt: Attempt) -> None:
        """One message for a region that no pass took; what else matters stands in its notes."""
        notes = [
            Diagnostic(
                Severity.NOTE,
                d.reason,
                d.name,
                self.unit.buffer.location(d.where),
                needless=d.needless,
            )
            for d in declined[1:]
        ]
        others = [note for note in attempt.notes if "is not inlined" not in note[1]]
        for span, text in others[:8]:
            if text.startswith("call"):
                self.missed(span, text, "effects")
            else:
                place = self.unit.buffer.location(span)
                notes.append(Diagnostic(Severity.NOTE, text, "lift", place))
        if not declined:
            return
        first = declined[0]
        place = self.unit.buffer.location(first.where)
        self.diagnostics.append(
            Diagnostic(
                Severity.MISSED, first.reason, first.name, place, tuple(notes),
                needless=first.needless,
            )
        )  # fmt: skip


def _is_edited(span: Span, edits: Sequence[Edit]) -> bool:
    return any(span.overlaps(Span(edit.start, edit.end)) for edit in edits)


def _first_loop(scop: Scop) -> Span:
    return next((n.span for n in walk(scop.tree) if isinstance(n, Loop)), scop.span)


def _short(error: BaseException) -> str:
    return re.sub(r"\s+", " ", str(error))[:120]
