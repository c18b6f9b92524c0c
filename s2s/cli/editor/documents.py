"""A document that is open: what is known of its present text, and what is still to be looked at."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import field, replace

from s2s.cli.editor.found import Memory, share_out
from s2s.cli.editor.process import WorkerProcess
from s2s.cli.editor.sections import Section, split
from s2s.cli.editor.worker import Answer, Task
from s2s.cli.root_causes import Regions
from s2s.source import Edit, apply_edits
from s2s.source.diagnostics import Diagnostic, Severity
from s2s.source.records import dataclass

_FIRST, _LEAST, _MOST = 150, 1500, 3000
"""How much work (``Section.work``) the first task is, so that the first functions come soon, and
others are at least and at most: each reads all of the file, which takes a tenth of a second."""
_TURN = 1.5
"""Seconds of processor time that a later task takes about, by what the one before has taken."""
_MANY, _GLANCE = 8, 0.05
"""A function with more loops than this gets a first look of its own, of so many seconds, after
which no other loop is begun."""


@dataclass
class Document:
    """The bytes of a file as the editor has them, and what was found so far.

    ``told`` has one diagnostic for each region; ``whole`` is the new text where it is no edit of
    the old one.
    """

    path: str
    data: bytes = b""
    told: list[Diagnostic] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    whole: bytes | None = None
    looked_at: int = 0
    """How many functions were looked at so far, each time counted."""

    @property
    def rewritten(self) -> bytes:
        """The text with all that was found to be rewritten."""
        return self.whole if self.whole is not None else apply_edits(self.data, self.edits)

    def edits_at(self, said: Diagnostic) -> list[Edit]:
        """The edits of the region that something is said of."""
        at = said.region or said.location
        if at is None or at.path != self.path:
            return []
        line = 1
        found, before = [], 0
        for edit in sorted(self.edits):
            line += self.data.count(b"\n", before, edit.start)
            before = edit.start
            last = line + self.data.count(b"\n", edit.start, edit.end)
            if line <= at.end_line and at.line <= last:
                found.append(edit)
        return found


class Looking:
    """Looks at documents, a few functions at a time, and remembers what it found."""

    def __init__(self, worker: WorkerProcess, model: Task) -> None:
        self._worker, self._model = worker, model
        self._memory = Memory()

    async def look(self, document: Document, flags: tuple[str, ...]) -> AsyncIterator[bool]:
        """Bring a document up to date: one turn for each time that more of it is known."""
        task = replace(self._model, path=document.path, data=document.data, flags=flags)
        context = repr((task.path, flags, task.passes, task.compiler, task.check)).encode()
        sections = split(document.data, context)
        errors: tuple[Diagnostic, ...] = ()
        times: dict[str, float] = {}
        missing = [s for s in sections if not s.idle and self._memory.get(s, times) is None]
        self._show(document, sections, errors, times)
        yield not missing
        size = _FIRST
        if missing and (asked := _take(missing, size)[0])[0].loops > _MANY:
            document.told += await self._glance(task, asked)
            yield False
        while missing and not errors and document.data == task.data:
            asked, missing = _take(missing, size)
            whole = len(asked) == len(sections) == 1
            lines = () if whole else tuple(s.last for s in asked)
            answer = await self._worker.look(replace(task, lines=lines))
            size = _next_size(asked, answer.seconds)
            document.looked_at += len(asked)
            errors = _errors(answer)
            if answer.text is not None:
                answer = await self._worker.look(task)
                asked, missing = sections, []
                document.whole = answer.text
            if not errors:
                self._remember(answer, document.path, asked, times)
            self._show(document, sections, errors, times)
            yield not missing

    async def _glance(self, task: Task, asked: Sequence[Section]) -> list[Diagnostic]:
        """What a short look finds of a function that takes long; it is shown, not remembered.

        Nothing is executed for it, so it has no edits yet.
        """
        lines = tuple(section.last for section in asked)
        quick = replace(task, lines=lines, budget=_GLANCE, check=False)
        found = (await self._worker.look(quick)).diagnostics
        return list(Regions().condensed([d for d in found if d.id != "budget"]))

    def _remember(
        self, answer: Answer, path: str, asked: Sequence[Section], times: dict[str, float]
    ) -> None:
        times.update(_times(answer.read))
        for section, found in share_out(answer, path, asked, times):
            self._memory.add(section, found)

    def _show(
        self,
        document: Document,
        sections: Sequence[Section],
        errors: Sequence[Diagnostic],
        times: dict[str, float],
    ) -> None:
        found = [self._memory.get(s, times) for s in sections if not s.idle]
        said = [d for each in found if each is not None for d in each.diagnostics]
        document.told = [*errors, *Regions().condensed(said)]
        document.edits = [e for each in found if each is not None for e in each.edits]


def _next_size(asked: Sequence[Section], seconds: float) -> int:
    """How much work takes about a turn, after some sections have taken so many seconds."""
    done = sum(section.work for section in asked)
    return max(_LEAST, min(_MOST, int(done * _TURN / max(seconds, 0.01))))


def _take(sections: list[Section], size: int) -> tuple[list[Section], list[Section]]:
    """The first sections that are no more work than that, one at least, and the others."""
    count, total = 0, 0
    for section in sections:
        total += section.work
        if count and total > size:
            break
        count += 1
    return sections[:count], sections[count:]


def _errors(answer: Answer) -> tuple[Diagnostic, ...]:
    return tuple(d for d in answer.diagnostics if d.severity is Severity.ERROR)


def _times(paths: Iterable[str]) -> dict[str, float]:
    found = {}
    for path in paths:
        try:
            found[path] = os.stat(path).st_mtime
        except OSError:
            continue
    return found
