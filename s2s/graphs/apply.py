"""The graph pass on one file: each step works on the text that the one before has left."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from s2s.budget import budget
from s2s.diagnostics import Diagnostic, InternalError, Severity
from s2s.frontends.c.parse import Unit, parse_again
from s2s.frontends.c.regions import Function, functions
from s2s.graphs.graph import Graph, Step
from s2s.graphs.rewrite import Rewrite
from s2s.source import Edit, SourceBuffer, Span, apply_edits


@dataclass
class Work:
    """A file on its way: ``unit`` is what it is now, ``diagnostics`` speak of the original."""

    unit: Unit
    graph: Graph
    original: SourceBuffer
    strict: bool = False
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _edits: list[list[Edit]] = field(default_factory=list)

    def run(self, before: Sequence[Edit] = ()) -> None:
        """Transform the file, which ``before`` made of the original."""
        self._edits += [list(before)] if before else []
        self.diagnostics += self.unit.graphs.diagnostics
        if self.unit.is_cxx:
            return
        for step in self.graph.steps():
            edits = self._step(step)
            if edits:
                self._take(edits)

    def _step(self, step: Step) -> list[Edit]:
        edits: list[Edit] = []
        for function in functions(self.unit, lambda loop: True):
            for change in self._found(step, function):
                severity = Severity.REMARK if change.edits else Severity.MISSED
                place = self.original.location(self._origin(change.where))
                said = Diagnostic(severity, change.reason, Graph.name, place)
                self.diagnostics += [said] if said not in self.diagnostics else []
                edits += change.edits
        return edits

    def _found(self, step: Step, function: Function) -> list[Rewrite]:
        try:
            with budget():
                return list(step(function))
        except Exception as problem:
            if self.strict:
                raise
            text = f"internal error: {type(problem).__name__}: {problem}; left as it was"
            return [Rewrite(function.node.span, text)]

    def _take(self, edits: Sequence[Edit]) -> None:
        """Go on with new text if it parses."""
        buffer = self.unit.buffer
        text = apply_edits(buffer.data, edits)
        again = parse_again(self.unit, SourceBuffer(buffer.path, text))
        if again.errors:
            problem = f"emitted code does not parse: {again.errors[0].text}"
            if self.strict:
                raise InternalError(problem)
            place = buffer.location(Span(edits[0].start, edits[0].end))
            said = f"internal error: {problem}; left as it was"
            self.diagnostics.append(Diagnostic(Severity.MISSED, said, "internal", place))
            return
        self._edits.append(sorted(edits, key=lambda e: e.start))
        self.unit = again

    def _origin(self, span: Span) -> Span:
        """About where in the original a place of the text now is."""
        start, end = span.start, span.end
        for edits in reversed(self._edits):
            start, end = _before(edits, start), _before(edits, end)
        return Span(start, max(start, end))


def _before(edits: Sequence[Edit], offset: int) -> int:
    """The place in a text before edits, the beginning of an edit for what it has put in."""
    places, moved = [], 0
    for edit in edits:
        places.append((edit.start + moved, edit, moved))
        moved += len(edit.text) - (edit.end - edit.start)
    found = bisect_right([p for p, _, _ in places], offset) - 1
    if found < 0:
        return offset
    place, edit, before = places[found]
    if offset < place + len(edit.text):
        return edit.start
    return offset - before - len(edit.text) + (edit.end - edit.start)
