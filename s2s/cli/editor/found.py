"""What is known of a document: for each function what was found, at the place where it is now."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from s2s.cli.editor.sections import Section
from s2s.cli.editor.worker import Answer
from s2s.source import Edit
from s2s.source.diagnostics import Diagnostic, Location
from s2s.source.records import dataclass

_REMEMBERED = 4096


@dataclass(frozen=True)
class Found:
    """What there is of one section, as it stood at ``line`` and ``start``."""

    line: int
    start: int
    diagnostics: tuple[Diagnostic, ...]
    edits: tuple[Edit, ...]
    read: tuple[tuple[str, float], ...] = ()
    """Files that it depends on, with the times of their last change."""

    def at(self, section: Section) -> Found:
        """The same for a section that has moved."""
        lines, offset = section.line - self.line, section.start - self.start
        if not lines and not offset:
            return self
        edits = (Edit(e.start + offset, e.end + offset, e.text) for e in self.edits)
        moved = tuple(_moved(d, lines) for d in self.diagnostics)
        return Found(section.line, section.start, moved, tuple(edits), self.read)


def _moved(said: Diagnostic, lines: int) -> Diagnostic:
    return replace(
        said,
        location=_moved_location(said.location, lines),
        region=_moved_location(said.region, lines),
        notes=tuple(_moved(note, lines) for note in said.notes),
    )


def _moved_location(at: Location | None, lines: int) -> Location | None:
    return at and replace(at, line=at.line + lines, end_line=at.end_line + lines)


class Memory:
    """What was found, by the keys of sections; the oldest is forgotten."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Found] = OrderedDict()

    def get(self, section: Section, times: Mapping[str, float]) -> Found | None:
        """What was found of a section; None where a file that it reads has changed."""
        found = self._known.get(section.key)
        if found is None or any(times.get(path, when) != when for path, when in found.read):
            return None
        self._known.move_to_end(section.key)
        return found.at(section)

    def add(self, section: Section, found: Found) -> None:
        self._known[section.key] = found
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)


def share_out(
    answer: Answer, path: str, asked: Sequence[Section], times: Mapping[str, float]
) -> Iterator[tuple[Section, Found]]:
    """An answer by the sections that were asked about."""
    read = tuple((path, times[path]) for path in answer.read if path in times)
    for section in asked:
        said = tuple(d for d in answer.diagnostics if is_inside(d, path, section))
        edits = tuple(e for e in answer.edits or () if section.start <= e.start < section.end)
        yield section, Found(section.line, section.start, said, edits, read)


def is_inside(said: Diagnostic, path: str, section: Section) -> bool:
    """Whether something is said of a section."""
    at = said.location
    return at is not None and at.path == path and section.line <= at.line <= section.last
