"""Places in bytes, as s2s counts, as lines and code points, from which a client's units follow."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types
from pygls.workspace import TextDocument

from s2s.source import Edit, SourceBuffer
from s2s.source.diagnostics import Diagnostic

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def lines_of(text: str) -> list[str]:
    """A text's lines with their ends, as the protocol has them: Python's end with form feeds, too,
    which stand between functions of many a C file.
    """
    return _LINE.findall(text)


# Changes of a part of a text are applied by line and column.
TextDocument.lines = property(  # type: ignore[method-assign,assignment]
    lambda document: lines_of(document.source)
)


def range_of(said: Diagnostic, lines: Sequence[str]) -> types.Range:
    """What to underline: no more than the first line of a region."""
    at = said.location
    if at is None or not 1 <= at.line <= len(lines):
        return types.Range(types.Position(0, 0), types.Position(0, 0))
    text = lines[at.line - 1]
    start = _code_points(text, at.column - 1)
    end = _code_points(text, at.end_column - 1) if at.end_line == at.line else len(text.rstrip())
    return types.Range(
        types.Position(at.line - 1, start), types.Position(at.line - 1, max(end, start))
    )


def _code_points(text: str, column: int) -> int:
    """How many code points the first bytes of a line are."""
    return len(text.encode("utf-8", "surrogateescape")[:column].decode("utf-8", "ignore"))


def edits_of(
    data: bytes, edits: Sequence[Edit], whole: bytes | None = None
) -> list[types.TextEdit]:
    """Edits of bytes as edits of text; ``whole``: all of it becomes this."""
    buffer = SourceBuffer("", data)
    chosen = list(edits) if whole is None else [Edit(0, len(data), whole)]
    return [
        types.TextEdit(
            range=types.Range(_position(buffer, edit.start), _position(buffer, edit.end)),
            new_text=edit.text.decode("utf-8", "surrogateescape"),
        )
        for edit in sorted(chosen)
    ]


def _position(buffer: SourceBuffer, offset: int) -> types.Position:
    line, column = buffer.line_column(offset)
    start = offset - column + 1
    before = buffer.data[start:offset].decode("utf-8", "ignore")
    return types.Position(line - 1, len(before))
