"""The rewrites of the loops that no other pass has taken, and a look at the new text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.frontends.c.parse import Unit, parse_again
from s2s.frontends.c.regions import Function
from s2s.frontends.c.text import free_prefix
from s2s.rewriters.idioms.idioms import Idioms, Rewrite
from s2s.source import Edit, SourceBuffer, apply_edits
from s2s.source.diagnostics import InternalError
from s2s.source.flags import is_c90


def rewritten(function: Function, idioms: Idioms, done: Sequence[Edit]) -> Iterator[Rewrite]:
    """The rewrites of loops that no edit covers, and why others stay."""
    unit = function.unit
    if unit.is_cxx or is_c90(unit.flags) or function.hidden:
        return
    for change in idioms.rewrites(function, free_prefix(unit.buffer.data)):
        span = change.where.span
        if any(e.start < span.end and span.start < e.end for e in done):
            continue
        yield change


def check(unit: Unit, edits: Sequence[Edit]) -> None:
    """Raise InternalError unless the file parses with its loops rewritten."""
    text = apply_edits(unit.buffer.data, edits)
    again = parse_again(unit, SourceBuffer(unit.buffer.path, text))
    if again.errors:
        raise InternalError(f"emitted code does not parse: {again.errors[0].text}")
