"""Passes that edit the text of functions, where no pass on regions has edited it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from s2s.driver import passes
from s2s.driver.make_pass import make_pass
from s2s.driver.options import Options
from s2s.driver.remarks import Remarks
from s2s.driver.written_inside import go_on_inside, write_inside
from s2s.frontends.c.parse import parse_again
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.unit import Unit
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.diagnostics import Diagnostic, InternalError, Severity
from s2s.source.records import dataclass


@dataclass
class TextPasses:
    """Asks the passes about one function after the other.

    ``searches`` are loops that only look for something, in what the passes have edited; ``waiting``
    is what is not parsed again yet. ``dead`` are variables that nobody reads after a place.
    """

    options: Options
    remarks: Remarks
    searches: list[Node] = field(default_factory=list)
    waiting: list[Rewrite] = field(default_factory=list)
    dead: list[tuple[Span, frozenset[str]]] = field(default_factory=list)
    _passes: list[TextPass] = field(default_factory=list)

    def __post_init__(self) -> None:
        for spec in passes.on_functions(self.options.passes):
            made = make_pass(spec, self.options)
            assert isinstance(made, TextPass)
            self._passes.append(made)

    @property
    def unread(self) -> list[Edit]:
        """The edits that are not parsed again yet."""
        return [edit for change in self.waiting for edit in change.edits]

    def claims(self, function: Function) -> frozenset[Span]:
        """Innermost loops that passes on regions shall leave to these."""
        return frozenset().union(*(one.claims(function) for one in self._passes))

    def edits(self, function: Function, done: Sequence[Edit]) -> list[Edit]:
        """The edits of directives only; others are ``waiting``. ``done`` are those of regions."""
        found: list[Edit] = []
        for one in self._passes:
            for change in self._asked(one, function, (*done, *found, *self.unread)):
                where = self.remarks.unit.buffer.location(change.where)
                severity = Severity.REMARK if change.edits else Severity.MISSED
                said = Diagnostic(severity, change.reason, one.name, where)
                self.remarks.diagnostics.append(said)
                if one.directives_only:
                    found += change.edits
                elif change.edits:
                    self.waiting.append(change)
                self.searches += change.searches
                if change.dead:
                    self.dead.append((change.where, change.dead))
        return found

    def _asked(self, one: TextPass, function: Function, done: Sequence[Edit]) -> list[Rewrite]:
        try:
            return list(one.edits(function, done))
        except Exception as problem:
            self.remarks.failed(function.node.span, problem)
            return []

    def prepared(self, where: Span) -> Rewrite | None:
        """What waits for a loop that passes on regions see prepared in the same way."""
        return next((c for c in self.waiting if c.prepared and c.where == where), None)

    def drop(self, change: Rewrite) -> None:
        """Take back what waits, and what was said of it."""
        self.waiting.remove(change)
        self.remarks.withdraw(change.where)

    def made_inside(self, edits: Sequence[Edit], others: Sequence[Edit]) -> list[Edit] | None:
        """Edits of one function, with what waits there made in their text instead.

        None where something of it is not found in their text; ``others`` are made as well.
        """
        within = [c for c in self.waiting if any(c.where.overlaps(_range(e)) for e in edits)]
        if not within:
            return list(edits)
        again = [one for one in self._passes if not one.directives_only]
        found = write_inside(self.remarks.unit, edits, others, again, within)
        if found is not None:
            self.waiting = [c for c in self.waiting if c not in within]
        return found

    def read_again(self, others: Sequence[Edit]) -> list[Edit]:
        """The edits that were not parsed yet, if the file parses with them and ``others``."""
        self._go_on(others)
        edits = self.unread
        try:
            if edits:
                _parse_with(self.remarks.unit, edits)
            return edits
        except InternalError as problem:
            self.remarks.failed(Span(edits[0].start, edits[0].end), problem)
            return []

    def _go_on(self, others: Sequence[Edit]) -> None:
        """Ask passes about loops that others have left in their text."""
        again = [one for one in self._passes if one.inside]
        for place, change in enumerate(self.waiting):
            if not (again and change.holds_loops):
                continue
            beside = [e for e in (*others, *self.unread) if e not in change.edits]
            try:
                edits, said = go_on_inside(self.remarks.unit, change.edits, beside, again)
            except Exception as problem:
                self.remarks.failed(change.where, problem)
                continue
            self.waiting[place] = replace(change, edits=tuple(edits))
            where = self.remarks.unit.buffer.location(change.where)
            self.remarks.diagnostics += [
                Diagnostic(Severity.REMARK, f"inside, {reason}", again[0].name, where)
                for reason in dict.fromkeys(said)
            ]


def _range(edit: Edit) -> Span:
    return Span(edit.start, edit.end)


def _parse_with(unit: Unit, edits: Sequence[Edit]) -> None:
    """Raise InternalError unless the file parses with these edits made."""
    text = apply_edits(unit.buffer.data, edits)
    again = parse_again(unit, SourceBuffer(unit.buffer.path, text))
    if again.errors:
        raise InternalError(f"emitted code does not parse: {again.errors[0].text}")
