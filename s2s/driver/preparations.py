"""What is done to a region's text so that it can be lifted: calls inlined, conditionals decided."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from s2s.driver.remarks import Remarks
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.prepare import (
    Callees,
    Configuration,
    Prepared,
    Text,
    Undecided,
    calls_with_choices,
    calls_with_loops,
    configuration,
    divides_counter,
    has_preparations,
    in_front,
    only_under,
    prepare,
    walks_in_nest,
)
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.touch import THREAD_LOCAL, names_thread_local
from s2s.source import Edit
from s2s.source.records import dataclass

# Bytes of prepared texts that are parsed for the regions of one file: whole files, again and again.
MOST_READ = 64_000_000


@dataclass
class Preparations:
    """The preparations of the regions of one file."""

    remarks: Remarks

    @cached_property
    def _callees(self) -> Callees:
        return Callees(self.remarks.unit)

    def calls_loops(self, attempt: Attempt) -> bool:
        """Whether a region calls functions with loops of their own."""
        return calls_with_loops(attempt, self._callees)

    def shows_more(self, attempt: Attempt) -> bool:
        """Whether a nest may show more once it is prepared: places that a call or a step hides.

        It calls functions that choose an integer, or walks with a variable or a pointer. So may a
        loop be a nest that divides what it counts.
        """
        if walks_in_nest(attempt) or divides_counter(attempt.statements[0]):
            return True
        return calls_with_choices(attempt, self._callees)

    def change_nothing(self, attempt: Attempt) -> bool:
        """Whether a region stays as it is for what no preparation takes away.

        That is a variable of each thread, which is told apart at once; to prepare the text and to
        read it again takes a hundred times as long.
        """
        if not names_thread_local(attempt.statements):
            return False
        calls = (n for s in attempt.statements for n in s.walk() if n.kind == "CALL_EXPR")
        if any(self._callees.of(c) is not None and self._callees.why_not(c) for c in calls):
            return False  # which is said
        try:
            attempt.again().raw()
        except NotLiftable as problem:
            return problem.reason == THREAD_LOCAL
        return False

    def configuration(self, attempt: Attempt) -> Configuration | None:
        """The preprocessor's conditions in a region; None where it must stay because of them."""
        unit = self.remarks.unit
        try:
            text = Text(unit.buffer.data, attempt.whole, unit.skipped)
            always, statement = self._callees.always_defined, attempt.statements[0].span.start
            before = configuration(in_front(text, attempt.span.start), always).conditions
            inside = configuration(text, always, statement)
            return replace(inside, conditions=(*before, *inside.conditions))
        except (Undecided, NotLiftable) as problem:
            self.remarks.missed(attempt.span, str(problem), "lift")
            return None

    def only_under(self, edit: Edit, under: Configuration) -> Edit:
        """An edit that is made under the conditions of a configuration only."""
        return only_under(self.remarks.unit.buffer, edit, under.conditions)

    def prepare(self, attempt: Attempt, under: Configuration) -> Prepared | None:
        """The region with its text prepared; None where there is nothing to do or no way."""
        if under.closing is None and not has_preparations(attempt, self._callees):
            return None
        if self.remarks.unit.read_again[0] > MOST_READ:
            text = "not prepared: so large a file is not parsed again for more regions"
            self.remarks.missed(attempt.span, text, "inline")
            return None
        return prepare(attempt, self._callees, closing=under.closing)

    def say_why_not(self, attempt: Attempt, prepared: Prepared | None, *, useless: bool) -> None:
        """Say which calls are not inlined, where that kept the region as it is."""
        notes = [(self.remarks.unit, note) for note in attempt.lifter.notes]
        attempt.lifter.notes.clear()
        if prepared is not None:
            notes += [(prepared.unit, note) for note in prepared.attempt.lifter.notes]
        for unit, (span, text) in notes if useless else ():
            if "is not inlined" in text:
                self.remarks.missed(span, text, "inline", unit)
