"""Functions that s2s has rewritten before: the comments in its blocks tell.

New code stands beside the text that it replaces, which runs where the new code may not. Read again,
both would be transformed, and once more the next time. A function with such a comment is left
whole, so a file that comes out goes in and comes out as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.unit import Unit
from s2s.source import Span
from s2s.source.diagnostics import Diagnostic, Severity

_MARK = re.compile(rb"/\* s2s: [^*]*\*/")


def mark(data: bytes, start: int, end: int) -> Span | None:
    """The first comment in a text that says what s2s did there."""
    found = _MARK.search(data, start, end)
    return Span(*found.span()) if found else None


def not_rewritten(unit: Unit, cursors: Iterable[Any], said: list[Diagnostic]) -> Iterator[Any]:
    """Functions without such comments; remarks about the others join ``said``."""
    data = unit.buffer.data
    marked = mark(data, 0, len(data)) is not None
    for cursor in cursors:
        start, end, _ = clang.extent(cursor)
        found = mark(data, start, end) if marked else None
        if found is None:
            yield cursor
        else:
            said.append(_remark(unit, found))


def _remark(unit: Unit, found: Span) -> Diagnostic:
    text = "rewritten before; without this comment its function is transformed again"
    return Diagnostic(Severity.MISSED, text, "rewritten", unit.buffer.location(found))
