"""The text of a file in which a region is prepared, and where each of its places came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from s2s.source import Edit, SourceBuffer, Span
from s2s.source.diagnostics import Location
from s2s.source.records import dataclass


@dataclass(frozen=True)
class PreparedBuffer(SourceBuffer):
    """A file with one region prepared; positions in it are those of the original text.

    ``rounds`` are the edits, in the order in which they were applied. What an edit has put in is at
    the place that it replaced. ``bodies`` are those of them that put the body of a function of this
    file in the place of a call, in the same order.
    """

    original: SourceBuffer = field(default=SourceBuffer("", b""), repr=False)
    rounds: tuple[tuple[Edit, ...], ...] = ()
    bodies: tuple[tuple[Edit, ...], ...] = ()

    def origin(self, offset: int) -> int:
        """Where in the original text an offset came from."""
        for edits in reversed(self.rounds):
            offset = _before(edits, offset)
        return offset

    def is_own(self, offset: int) -> bool:
        for edits in reversed(self.rounds):
            if _put_in(edits, offset):
                return False
            offset = _before(edits, offset)
        return True

    def stands_elsewhere(self, offset: int) -> bool:
        for edits, bodies in zip(reversed(self.rounds), reversed(self.bodies), strict=True):
            if _put_in(edits, offset, bodies):
                return True
            offset = _before(edits, offset)
        return False

    def line_column(self, offset: int) -> tuple[int, int]:
        return self.original.line_column(self.origin(offset))

    def location(self, span: Span) -> Location:
        start = self.origin(span.start)
        end = max(self.origin(span.end), min(start + 1, len(self.original.data)))
        return self.original.location(Span(start, end))


def _before(edits: Sequence[Edit], offset: int) -> int:
    """An offset of the text that edits were applied to; ``offset`` is one of their result."""
    shift = 0
    for edit, start in _placed(edits):
        if offset < start:
            break
        if offset < start + len(edit.text):
            return edit.start
        shift += len(edit.text) - (edit.end - edit.start)
    return offset - shift


def _put_in(edits: Sequence[Edit], offset: int, among: Sequence[Edit] | None = None) -> bool:
    """Whether an offset of the edits' result is in text that one of them, or of some, put in."""
    return any(
        start <= offset < start + len(edit.text)
        for edit, start in _placed(edits)
        if among is None or edit in among
    )


def _placed(edits: Sequence[Edit]) -> Iterator[tuple[Edit, int]]:
    """Edits in their order, each with where its text begins in the result."""
    shift = 0
    for edit in edits:
        yield edit, edit.start + shift
        shift += len(edit.text) - (edit.end - edit.start)
