"""Passes on whole files: each step works on the text that the one before has left."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import field

from s2s.driver.make_pass import make_pass
from s2s.driver.options import Options
from s2s.frontends.c.parse import parse_again
from s2s.frontends.c.regions import Function, functions
from s2s.frontends.c.unit import Unit
from s2s.rewriters.text_pass import FilePass, Rewrite, TextPass
from s2s.scop.budget import budget
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.diagnostics import Diagnostic, InternalError, Severity
from s2s.source.records import dataclass


@dataclass(frozen=True)
class _Done:
    """An edit that was made, and the source's text that it is about."""

    edit: Edit
    where: Span

    @property
    def origin(self) -> Span:
        """What the edit's new text stands for: the loop, if that is in the old text."""
        old = Span(self.edit.start, self.edit.end)
        inside = old.start <= self.where.start and self.where.end <= old.end
        return self.where if inside else Span(old.start, old.start)


def prepare(specs: Sequence[str], options: Options, data: bytes) -> tuple[Edit, ...]:
    """What passes on files edit before the file is parsed."""
    return tuple(edit for spec in specs for edit in _made(spec, options).prepare(data))


def _made(spec: str, options: Options) -> FilePass:
    made = make_pass(spec, options)
    assert isinstance(made, FilePass)
    return made


@dataclass
class FileWork:
    """A file on its way: ``unit`` is what it is now, ``diagnostics`` speak of the original."""

    unit: Unit
    options: Options
    original: SourceBuffer
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _edits: list[list[_Done]] = field(default_factory=list)

    def run(self, specs: Sequence[str], prepared: Sequence[Edit] = ()) -> None:
        """Transform the file, which ``prepared`` made of the original."""
        if prepared:
            self._edits.append([_Done(e, Span(e.start, e.end)) for e in prepared])
        for spec in specs:
            one = _made(spec, self.options)
            self.diagnostics += one.remarks(self.unit)
            for step in one.steps(self.unit):
                edits = self._step(step)
                if edits:
                    self._take(edits, step, regroups=one.regroups)

    def _step(self, step: TextPass) -> list[_Done]:
        edits: list[_Done] = []
        for function in functions(self.unit, lambda loop: True):
            for change in self._found(step, function):
                severity = Severity.REMARK if change.edits else Severity.MISSED
                place = self.original.location(self._origin(change.where))
                said = Diagnostic(severity, change.reason, step.name, place)
                self.diagnostics += [said] if said not in self.diagnostics else []
                edits += [_Done(edit, change.where) for edit in change.edits]
        return edits

    def _found(self, step: TextPass, function: Function) -> list[Rewrite]:
        try:
            with budget():
                return list(step.edits(function, ()))
        except Exception as problem:
            if self.options.strict:
                raise
            text = f"internal error: {type(problem).__name__}: {problem}; left as it was"
            return [Rewrite(function.node.span, text)]

    def _take(self, done: Sequence[_Done], step: TextPass, *, regroups: bool) -> None:
        """Go on with new text if it parses and does what the old one does."""
        if self.options.check:
            done = self._executed(done, step, regroups=regroups)
        buffer, edits = self.unit.buffer, [d.edit for d in done]
        if not edits:
            return
        text = apply_edits(buffer.data, edits)
        again = parse_again(self.unit, SourceBuffer(buffer.path, text))
        if again.errors:
            problem = f"emitted code does not parse: {again.errors[0].text}"
            if self.options.strict:
                raise InternalError(problem)
            place = buffer.location(Span(edits[0].start, edits[0].end))
            said = f"internal error: {problem}; left as it was"
            self.diagnostics.append(Diagnostic(Severity.MISSED, said, "internal", place))
            return
        self._edits.append(sorted(done, key=lambda d: d.edit.start))
        self.unit = again

    def _executed(self, done: Sequence[_Done], step: TextPass, *, regroups: bool) -> list[_Done]:
        """The edits without those that do not do what the text before them does.

        Where lists of edges are exchanged, the graphs' lists have to agree: where these are not
        variables of their own, the proof of the pass has to do.
        """
        from s2s.net.check import Net
        from s2s.net.graphs import are_plain

        graphs = self.unit.graphs.graphs
        if step.exchanges_lists and not are_plain(graphs):
            return list(done)
        given = graphs if are_plain(graphs) else ()
        strict = self.options.strict
        net = Net(self.unit, regroups, strict, graphs=given, gains=step.gains_above)
        left = list(done)
        for failure in net.failures([d.edit for d in done]):
            if strict:
                raise failure.problem
            wrong = [d for d in left if d.edit in failure.edits]
            left = [d for d in left if d.edit not in failure.edits]
            self._withdraw(wrong, f"internal error: {failure.problem}; left as it was")
        return left

    def _withdraw(self, wrong: Sequence[_Done], text: str) -> None:
        """Say that edits are not made, in place of what was said about them."""
        places = {self.original.location(self._origin(d.where)) for d in wrong}
        self.diagnostics = [
            d for d in self.diagnostics
            if d.severity is not Severity.REMARK or d.location not in places
        ]  # fmt: skip
        self.diagnostics += [Diagnostic(Severity.MISSED, text, "internal", p) for p in places]

    def _origin(self, span: Span) -> Span:
        """Where in the original a place of the text now is: for new text, the loop it is for."""
        start, end = span.start, span.end
        for edits in reversed(self._edits):
            start, end = _before(edits, start).start, _before(edits, end).end
        return Span(start, max(start, end))


def _before(done: Sequence[_Done], offset: int) -> Span:
    """The place in a text before edits; for what an edit has put in, what that stands for."""
    places, moved = [], 0
    for change in done:
        edit = change.edit
        places.append((edit.start + moved, change, moved))
        moved += len(edit.text) - (edit.end - edit.start)
    found = bisect_right([p for p, _, _ in places], offset) - 1
    if found < 0:
        return Span(offset, offset)
    place, change, before = places[found]
    edit = change.edit
    if offset < place + len(edit.text):
        return change.origin
    there = offset - before - len(edit.text) + (edit.end - edit.start)
    return Span(there, there)
