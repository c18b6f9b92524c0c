"""The regions of a function: which of them passes are asked about, and what comes of them.

Nothing here is fatal for a file: what cannot be lifted, is not legal or has no gain stays as it is,
with a remark; a defect of s2s leaves the region as it was. Most loops are left after a look at
their syntax, so what lifts and transforms is loaded for the first that is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from s2s.driver import passes
from s2s.driver.looks import is_shown_inside, shown
from s2s.driver.options import Options
from s2s.driver.remarks import Remarks
from s2s.frontends.c.forwardable import forwardable
from s2s.frontends.c.regions import (
    Attempt,
    Function,
    candidates,
    inner_candidates,
    under_directives,
)
from s2s.frontends.c.unit import Unit
from s2s.source import Edit, Span
from s2s.source.records import dataclass
from s2s.transforms.scop_pass import Form, Look

if TYPE_CHECKING:
    from s2s.driver.advice import Adviser
    from s2s.driver.preparations import Preparations
    from s2s.driver.region_work import RegionWork
    from s2s.driver.text_passes import TextPasses
    from s2s.frontends.c.prepare import Configuration, Prepared
    from s2s.rewriters.text_pass import Rewrite

# The forms of a region that passes on SCoPs take.
FORMS = (Form.REGION, Form.SEPARATE, Form.LOOPS)


@dataclass
class Regions:
    """Finds the regions of functions that passes on SCoPs are asked about.

    ``claimed`` are innermost loops that are left to passes on text; ``fallback`` is the source's
    text of a prepared region; ``forms`` are those of the passes that are asked; ``ahead`` gives
    the edits of regions that others have worked on.
    """

    unit: Unit
    options: Options
    remarks: Remarks
    claimed: frozenset[Span] = frozenset()
    fallback: str | None = None
    forms: tuple[Form, ...] = FORMS
    ahead: Callable[[Attempt], list[Edit] | None] = lambda attempt: None

    @cached_property
    def _preparations(self) -> Preparations:
        from s2s.driver.preparations import Preparations

        return Preparations(self.remarks)

    @cached_property
    def _work(self) -> RegionWork:
        from s2s.driver.region_work import RegionWork

        return RegionWork(self.unit, self.options, self.remarks, self.fallback, self.forms)

    @property
    def adviser(self) -> Adviser | None:
        """Who measures, if that is asked for."""
        return None if self.options.tune is None else self._work.adviser

    @cached_property
    def _asked(self) -> frozenset[Look]:
        given = self.options.schedule
        specs = self.options.passes if given is None else given.passes_of_regions
        return passes.looks_for(specs or tuple(passes.DEFAULT), *self.forms)

    def edits(self, function: Function) -> Iterator[Edit]:
        """The edits of the regions of a function that were transformed."""
        for attempt in filter(self._is_asked, candidates(function)):
            known = self.ahead(attempt)
            yield from self.edits_of(function, attempt) if known is None else known

    def edits_of(self, function: Function, attempt: Attempt) -> list[Edit]:
        """The edits of one of a function's outermost regions."""
        before = list(self.remarks.diagnostics)
        found = self._attempt(function, attempt)
        self.remarks.belongs(before, attempt.span)
        return found

    def sequences(self, function: Function, done: Sequence[Edit]) -> list[Edit]:
        """The edits of sequences of statements that no edit covers."""
        found: list[Edit] = []
        copies = Look.COPY in passes.looks_for(self.options.passes, Form.SEQUENCE)
        for attempt in forwardable(function) if copies else ():
            taken = [Span(e.start, e.end) for e in (*done, *found)]
            if not any(attempt.span.overlaps(span) for span in (*taken, *function.off)):
                found += self._work.sequence(function, attempt)
        return found

    def remaining(
        self, function: Function, done: Sequence[Edit], texts: TextPasses
    ) -> list[Edit]:  # fmt: skip
        """The edits of regions that no edit touches, where parallel loops are to be added.

        Edits of passes on ``texts`` that are inside such a region are made in its new text.
        """
        specs = passes.of_form(self.options.passes, Form.REST)
        if not (specs and self.options.parallel) or self.options.schedule is not None:
            return []
        options = replace(self.options, passes=specs, tune=None)
        # Where there are threads already, others would run one by one.
        shared = under_directives(function)
        taken = [*(Span(e.start, e.end) for e in done), *function.off, *shared]
        found: list[Edit] = []
        waiting = list(candidates(function))
        while waiting:
            attempt = waiting.pop(0)
            if not self._is_asked(attempt):
                continue
            rows = texts.prepared(attempt.span)
            if rows is not None:
                free = not any(attempt.span.overlaps(span) for span in taken)
                found += self._share_prepared(attempt, rows, options, texts) if free else ()
                continue
            cut = any(_is_cut(attempt.span, Span(e.start, e.end)) for e in texts.unread)
            if cut or any(attempt.span.overlaps(span) for span in taken):
                waiting += inner_candidates(attempt)
                continue
            there = Remarks(self.unit, options, self.remarks.allowance)
            rest = Regions(self.unit, options, there, forms=(Form.REST,))
            edits = texts.made_inside(rest._attempt(function, attempt), found)
            if edits is None:
                waiting += inner_candidates(attempt)
                continue
            self.remarks.tried_again(attempt.span, there, changed=bool(edits))
            found += edits
        return found

    def _share_prepared(
        self, attempt: Attempt, waits: Rewrite, options: Options, texts: TextPasses
    ) -> Iterator[Edit]:
        """The edit of a loop whose prepared text has a loop that threads can share.

        It takes the place of what a pass on text has made of the same preparation.
        """
        there = Remarks(self.unit, options, self.remarks.allowance)
        rest = Regions(self.unit, options, there, forms=(Form.REST,))
        under = self._preparations.configuration(attempt)
        if under is None:
            return
        edit = there.survive(attempt.span, lambda: rest._prepared(attempt, under))
        if edit is not None:
            texts.drop(waits)
            self.remarks.tried_again(attempt.span, there, changed=True)
            yield edit

    def _attempt(self, function: Function, attempt: Attempt) -> list[Edit]:
        """Try a statement, prepared if it can be, then what is inside it."""
        if self.remarks.allowance.is_spent:
            seconds = self.options.budget
            self.remarks.missed(attempt.span, f"not looked at: the {seconds} s are spent", "budget")
            return []
        inlines = self._calls_loops(attempt) or self._preparations.shows_more(attempt)
        seen = shown(attempt, self._asked)
        asked = self.options.schedule is not None
        hopeful = self.options.explain or asked or bool(seen)
        if not hopeful and not inlines and not is_shown_inside(attempt, self._asked):
            return []
        under = self._preparations.configuration(attempt) if hopeful or inlines else None
        if under is not None:
            edit = None
            if not (hopeful and self._preparations.change_nothing(attempt)):
                edit = self.remarks.survive(attempt.span, lambda: self._prepared(attempt, under))
            if edit is None and hopeful and under.closing is None:
                edit = self._try(function, attempt, seen)
                edit = edit and self._preparations.only_under(edit, under)
            if edit is not None:
                return [edit]
        inner: list[Edit] = []
        for candidate in filter(self._is_asked, inner_candidates(attempt)):
            inner += self._attempt(function, candidate)
        return inner

    def is_promising(self, attempt: Attempt) -> bool:
        """Whether anything in a region that is asked about has to be lifted."""
        return self._is_asked(attempt) and (
            bool(shown(attempt, self._asked))
            or is_shown_inside(attempt, self._asked)
            or self._calls_loops(attempt)
            or self._preparations.shows_more(attempt)
        )

    def _is_asked(self, attempt: Attempt) -> bool:
        """Whether a region is around the line that is asked about: all are where none is."""
        return self.options.explains(self.unit.buffer, attempt.span)

    def _calls_loops(self, attempt: Attempt) -> bool:
        """Whether a region calls functions with loops of their own, by their text first."""
        names = self.unit.names_with_loops
        calls = (n for s in attempt.statements for n in s.walk() if n.kind == "CALL_EXPR")
        return any(n.name in names for n in calls) and self._preparations.calls_loops(attempt)

    def _prepared(self, attempt: Attempt, under: Configuration) -> Edit | None:
        """The edit of a region whose prepared text is transformed."""
        prepared = self._preparations.prepare(attempt, under)
        edit = None if prepared is None else self._try_prepared(prepared, under)
        self._preparations.say_why_not(attempt, prepared, useless=edit is None)
        return edit

    def _try_prepared(self, prepared: Prepared, under: Configuration) -> Edit | None:
        seen = shown(prepared.attempt, self._asked)
        if not (self.options.explain or self.options.schedule is not None or seen):
            return None
        options, here = self.options, self.remarks
        if self.adviser is not None:
            options = replace(options, tune=self.adviser.for_the_rest())
        there = Remarks(prepared.unit, options, here.allowance)
        again = Regions(prepared.unit, options, there, fallback=prepared.fallback, forms=self.forms)
        edit = again._try(prepared.attempt.function, prepared.attempt, seen)
        if self.adviser is not None and again.adviser is not None:
            self.adviser.named |= again.adviser.named
        here.diagnostics += [d for d in there.diagnostics if d not in here.diagnostics]
        here.recorded += there.recorded
        if edit is None:
            return None
        here.parts += there.parts
        return prepared.edit(edit, under.conditions)

    def _try(self, function: Function, attempt: Attempt, seen: frozenset[Look]) -> Edit | None:
        """The edit of one region; None where it stays as it is, with a remark that says why."""
        return self._work.edit(function, attempt, seen, self.claimed)


def _is_cut(region: Span, edit: Span) -> bool:
    """Whether an edit is about a region as a whole, or about a part of it and something else."""
    return region.overlaps(edit) and not (region.start < edit.start and edit.end <= region.end)
