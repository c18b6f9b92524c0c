"""Rows of a loop that divides what it counts: whole ones as two loops, without divisions.

::

    for (p = 0; p < n; p++)                 const int rows = w > 0 && n > 0 ? n / w : 0;
        o[p] = a[p % w] * b[p / w];         for (row = 0; row < rows; row++)
                                       ->       for (column = 0; column < w; column++) {
                                                    const int p = row * w + column;
                                                    o[p] = a[column] * b[row];
                                                }
                                            for (p = rows * w; p < n; p++) ...

Passes on regions see the same nest first (``frontends/c/prepare/flat_rows.py``, which says when it
is right): what they make of it has no divisions either, and more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from s2s.emitters.c.style import style_of
from s2s.frontends.c.prepare import FlatRows, flat_rows, lay_out
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.text import statement_end
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.source import Edit, SourceBuffer, Span
from s2s.source.flags import is_c90
from s2s.source.records import dataclass
from s2s.transforms.scop_pass import Look


@dataclass(frozen=True)
class FlatRowLoops(TextPass):
    """The pass: for innermost loops whose body only computes."""

    name: ClassVar[str] = "flat-rows"
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.DIVISION})

    def claims(self, function: Function) -> frozenset[Span]:
        """Loops that are no longer the same loops for compilers."""
        return frozenset(loop.span for loop, _ in self._found(function))

    def edits(self, function: Function, done: Sequence[Edit]) -> Iterator[Rewrite]:
        """The loops of one function that no edit covers."""
        for loop, rows in self._found(function):
            reason = f"rows of '{rows.divisor}' iterations, without divisions"
            edit = replaced(function, loop, done, reason, (rows.front, *rows.nest, *rows.rest))
            if edit is not None:
                yield Rewrite(loop.span, reason, (edit,), prepared=True)

    def _found(self, function: Function) -> Iterator[tuple[Node, FlatRows]]:
        for loop in asked_loops(function):
            rows = flat_rows(function, loop)
            if rows is not None:
                yield loop, rows


def asked_loops(function: Function) -> Iterator[Node]:
    """The loops of a function that may be written anew, with loops that declare their counter."""
    if is_c90(function.unit.flags) or function.hidden:
        return
    for loop in (n for n in function.body.walk() if n.kind == "FOR_STMT"):
        if not any(loop.span.overlaps(s) for s in function.off):
            yield loop


def replaced(
    function: Function, loop: Node, done: Sequence[Edit], reason: str, inside: Sequence[str]
) -> Edit | None:  # fmt: skip
    """A block of lines in the place of a loop; None where an edit is there already."""
    span = _statement(function, loop)
    if span is None or any(e.start < span.end and span.start < e.end for e in done):
        return None
    return in_block(function.unit.buffer, span, reason, inside)


def in_block(buffer: SourceBuffer, span: Span, reason: str, inside: Sequence[str]) -> Edit:
    """A block of lines in the place of a statement."""
    text = _text(buffer, span.start, reason, inside)
    return Edit(span.start, span.end, text.encode("utf-8", "surrogateescape"))


def _statement(function: Function, loop: Node) -> Span | None:
    body = loop.children[-1]
    if body.kind == "COMPOUND_STMT":
        return loop.span
    end = statement_end(function.unit.buffer.data, body.span.end)
    return None if end is None else Span(loop.span.start, end)


def _text(buffer: SourceBuffer, place: int, reason: str, inside: Sequence[str]) -> str:
    """The statements that replace the loop at a place, in a block."""
    line = buffer.text(Span(buffer.line_start(place), place))
    lines = ("{", *(f"\t{text}" for text in (f"/* s2s: {reason} */", *inside)), "}")
    return lay_out(lines, line if not line.strip() else "", style_of(buffer.data).unit)


__all__ = ["FlatRowLoops", "asked_loops", "in_block", "replaced"]
