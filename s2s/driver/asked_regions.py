"""Which entry of a given schedule is about a region that is being tried."""

from __future__ import annotations

from s2s.driver.given_schedule import Entry, GivenSchedule
from s2s.frontends.c.loop_names import loop_names
from s2s.frontends.c.regions import Attempt, Function
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class AskedRegions:
    """Finds entries by the outermost loop of a region."""

    given: GivenSchedule

    def entry_of(self, function: Function, attempt: Attempt) -> Entry | None:
        """What is asked of a region; None where it is to stay as it is."""
        span = attempt.span
        inside = [(s, name) for s, name in loop_names(function).items() if s in _offsets(span)]
        if not inside:
            return None
        start, name = min(inside)
        at = function.unit.buffer.place(Span(start, start + 1))
        return self.given.entry_for(name, function.node.name, at)


def _offsets(span: Span) -> range:
    return range(span.start, span.end)
