"""The text of a file, positions in it, and edits of it.

Everything that s2s says or changes is a byte range of an original buffer: a frontend reports
spans, an emitter returns edits, and what no edit covers keeps its bytes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import field
from functools import cached_property

from s2s.source.diagnostics import InternalError, Location
from s2s.source.records import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of byte offsets."""

    start: int
    end: int

    def __contains__(self, other: object) -> bool:
        return isinstance(other, Span) and self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class SourceBuffer:
    """The bytes of one file under the name that messages use for it."""

    path: str
    data: bytes = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        position = self.data.find(b"\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.data.find(b"\n", position + 1)
        return starts

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column (both from 1, the column in bytes) of a byte offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line_start(self, offset: int) -> int:
        """Offset of the first byte of the line that holds ``offset``."""
        return self._line_starts[bisect_right(self._line_starts, offset) - 1]

    def line_offset(self, line: int) -> int:
        """Offset of the first byte of a line (from 1)."""
        return self._line_starts[line - 1]

    def is_own(self, offset: int) -> bool:
        """Whether what stands at an offset is the file's own text, not put in by a rewriting."""
        return 0 <= offset <= len(self.data)

    def stands_elsewhere(self, offset: int) -> bool:
        """Whether what stands at an offset is in the file a second time, as it was written."""
        return False

    def line_text(self, line: int) -> str:
        """Text of a line (from 1) without its line ending."""
        start = self._line_starts[line - 1]
        end = self._line_starts[line] if line < len(self._line_starts) else len(self.data)
        return self.data[start:end].rstrip(b"\r\n").decode("utf-8", "replace")

    def location(self, span: Span) -> Location:
        line, column = self.line_column(span.start)
        end_line, end_column = self.line_column(span.end)
        return Location(self.path, line, column, end_line, end_column)

    def has_line(self, span: Span, line: int) -> bool:
        """Whether a line of the file is one of a span's."""
        where = self.location(span)
        return where.line <= line <= where.end_line

    def place(self, span: Span | None) -> Location:
        """The location of a span; that of the file for None and for text that is not its own."""
        if span is None or not self.is_own(span.start):
            return Location(self.path, 1, 1, 1, 1)
        return self.location(span)

    def text(self, span: Span) -> str:
        """The bytes of a span as text; ``encode`` gives the same bytes back."""
        return self.data[span.start : span.end].decode("utf-8", "surrogateescape")

    def edited(self, span: Span, edits: Iterable[Edit]) -> str:
        """The text of a span with edits inside it applied."""
        inside = [Edit(e.start - span.start, e.end - span.start, e.text) for e in edits]
        data = apply_edits(self.data[span.start : span.end], inside)
        return data.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replacement of the bytes ``start:end`` by ``text``."""

    start: int
    end: int
    text: bytes


def apply_edits(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Apply non-overlapping edits; no edit gives the same bytes.

    Raises InternalError when two edits overlap or insert at the same place.
    """
    pieces: list[bytes] = []
    position = 0
    previous: Edit | None = None
    for edit in sorted(edits):
        if previous and (edit.start < previous.end or edit.start == previous.start):
            raise InternalError(f"edits overlap at byte {edit.start}")
        pieces += [data[position : edit.start], edit.text]
        position, previous = edit.end, edit
    return b"".join([*pieces, data[position:]])
