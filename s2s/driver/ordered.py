"""A region in the order that the user asks for: made, proved, printed; or why not, with lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.region import Analysis
from s2s.driver.asked_steps import Names, apply_step
from s2s.driver.given_schedule import Entry
from s2s.driver.pass_manager import PassManager, Taken
from s2s.driver.recording import Recorder
from s2s.driver.results import Dependence, Statement
from s2s.driver.saved_schedule import gain_of, schedule_from
from s2s.emitters.c.errors import Unprintable
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Schedule
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError
from s2s.source.located_json import Value
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable
from s2s.transforms.loop_tree import loop_tree, obstacle, schedule_of
from s2s.transforms.transformed import Transformed

NAME = "schedule"


@dataclass(frozen=True)
class Ordered:
    """Puts one region into the order that an entry asks for."""

    entry: Entry
    analysis: Analysis
    manager: PassManager
    recorder: Recorder

    def taken(self) -> Taken:
        """The new order and its text. Raises UserError with the reason at its place."""
        self._check_region()
        way = self.entry.members[self.entry.way]
        ordered, place = self._ordered(way)
        apart = self.entry.flag("disjoint")
        analysis = self._apart(way) if apart else self.analysis
        violation = legality.check(ordered, analysis.pruned)
        if violation is not None and not apart:
            other = self.manager.disjoint(self.analysis)
            if other is not None and legality.check(ordered, other.pruned) is None:
                analysis, violation, apart = other, None, True
        if violation is not None:
            raise self._refused(ordered, analysis, way, place)
        done = replace(
            gain_of(self.entry, self.analysis.scop),
            scop=replace(analysis.scop, target=ordered.target, history=ordered.history),
        )
        return self._written(analysis, done, way, apart)

    def _written(self, analysis: Analysis, done: Transformed, way: Value, apart: bool) -> Taken:
        try:
            rewritten = self.manager.writer().run(analysis, done)
        except (NotApplicable, Unprintable) as problem:
            raise way.wrong(f"this order has no form in C: {problem}") from None
        return Taken(NAME, done, rewritten, apart=apart)

    def _apart(self, way: Value) -> Analysis:
        found = self.manager.disjoint(self.analysis)
        if found is None:
            raise way.wrong("the arrays cannot be taken for disjoint here")
        return found

    # -- the order ------------------------------------------------------------------------------

    def _ordered(self, way: Value) -> tuple[Scop, Value]:
        """The region with its new order, and the place of what made it so."""
        scop = self.analysis.scop
        if self.entry.way == "steps":
            *_, (ordered, place) = self._after_steps(way.items())
            return ordered, place
        schedule, history = schedule_from(self.entry, scop, self._statement_names)
        return replace(scop, target=schedule, history=history), way

    def _after_steps(self, steps: Sequence[Value]) -> Iterator[tuple[Scop, Value]]:
        """The region after none of the steps, after the first one, after the first two, ..."""
        scop = self.analysis.scop
        loops = self.recorder.loops(scop)
        names = Names({loop.id: loop for loop in loops.values()}, self._statements)
        tree = loop_tree(scop, {node: loop.id for node, loop in loops.items()})
        done: list[str] = []
        yield self._in_order(scop, schedule_of(scop, tree), done), self.entry.members["steps"]
        for step in steps:
            tree, word = apply_step(tree, step, names)
            done.append(word)
            yield self._in_order(scop, schedule_of(scop, tree), done), step

    @staticmethod
    def _in_order(scop: Scop, schedule: Schedule, done: Sequence[str]) -> Scop:
        history = tuple(done) or ("in the source's order",)
        return replace(scop, target=schedule, history=history)

    @cached_property
    def _statements(self) -> dict[str, Statement]:
        scop = self.analysis.scop
        return {s.name: s for s in self.recorder.statements(scop, self.recorder.loops(scop))}

    @cached_property
    def _statement_names(self) -> dict[str, tuple[str, Location]]:
        """The ids and places of statements by their names."""
        return {name: (s.id, s.at) for name, s in self._statements.items()}

    # -- why not --------------------------------------------------------------------------------

    def _check_region(self) -> None:
        """Raise UserError for a region in which something keeps its place."""
        found = obstacle(self.analysis.scop)
        if found is not None:
            place, reason = found
            at = self.manager.unit.buffer.place(place)
            note = Diagnostic(Severity.NOTE, reason, NAME, at)
            text = f"region '{self.entry.region}' cannot be put into another order: {reason}"
            raise self._error(self.entry.name, text, (note,))

    def _refused(self, ordered: Scop, analysis: Analysis, way: Value, place: Value) -> UserError:
        """The error about an order that is not legal: which step, which lines, which arrays."""
        if self.entry.way == "steps":
            ordered, place = self._first_wrong(analysis, way.items(), (ordered, place))
        found = list(self._violated(ordered, analysis))
        text = "not legal: dependences are not respected"
        notes: tuple[Diagnostic, ...] = ()
        if found:
            first, reason = found[0]
            text = f"not legal: {_pair(first)} ({first.kind} on {_names(first)}): {reason}"
            notes = _ends(first)
        more = len({d.lines for d, _ in found} - {found[0][0].lines}) if found else 0
        if more:
            text += f"; and {more} other pair{'s' * (more != 1)} of lines"
        return self._error(place, text, notes)

    def _first_wrong(
        self, analysis: Analysis, steps: Sequence[Value], last: tuple[Scop, Value]
    ) -> tuple[Scop, Value]:
        """The order after the step since which it is not legal, and that step."""
        found = last
        for ordered, place in reversed(list(self._after_steps(steps))):
            if legality.check(ordered, analysis.pruned) is None:
                break
            found = ordered, place
        return found

    def _violated(self, ordered: Scop, analysis: Analysis) -> Iterator[tuple[Dependence, str]]:
        """The dependences that an order violates, those between lines first, and how."""
        loops = self.recorder.loops(analysis.scop)
        with suppress(isl.Error):
            for item in self.recorder.take_apart(analysis.scop, analysis.pruned, loops):
                alone = isl.UnionMap.from_map(item.relation)
                violation = legality.check(ordered, alone)
                if violation is not None:
                    yield item, violation.reason

    def _error(
        self, place: Value, text: str, notes: tuple[Diagnostic, ...]
    ) -> UserError:  # fmt: skip
        at = place.at or self.manager.unit.buffer.place(self.analysis.scop.span)
        return UserError(Diagnostic(Severity.ERROR, text, NAME, at, notes))


def _pair(item: Dependence) -> str:
    first, second = item.source_at, item.target_at
    if first.line == second.line:
        return f"an instance of line {second.line} has to wait for an earlier one"
    return f"line {second.line} has to wait for line {first.line}"


def _names(item: Dependence) -> str:
    return ", ".join(f"'{name}'" for name in item.arrays) or "memory"


def _ends(item: Dependence) -> tuple[Diagnostic, ...]:
    far = ", ".join(
        sign if number is None else str(number)
        for number, sign in zip(item.distance, item.direction, strict=True)
    )
    first = Diagnostic(Severity.NOTE, "this comes first in the source", NAME, item.source_at)
    text = f"this comes later, at distance ({far}) along {', '.join(item.loops) or 'no loops'}"
    return first, Diagnostic(Severity.NOTE, text, NAME, item.target_at)
