"""Vector loops for a compiler that does not listen to OpenMP.

::

    #pragma omp simd               ->      #pragma GCC ivdep
    for (...) a[i] = f(b[i]);              for (...) a[i] = f(b[i]);

Without ``-fopenmp`` or ``-fopenmp-simd`` gcc warns of the first one and ignores it; the second one
tells it as well that no iteration waits for another. What is different is that ``omp simd`` gives
each lane its own copy of what the body declares. Numbers are in registers anyway, but lanes would
share an array on the stack: there the loop has no pragma.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from s2s.frontends.c.parse import parse_edited
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.unit import Unit
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.compiler import has_directives, hears_simd

_PRAGMA = re.compile(rb"^([ \t]*)#pragma omp simd(\r?\n)", re.MULTILINE)
_UNHEARD = rb"\1#pragma GCC ivdep\2"
_NUMBERS = frozenset({"int", "float", "pointer"})


def heard_pragmas(
    unit: Unit, edits: Sequence[Edit], *, parallel: bool, heard: bool | None
) -> list[Edit]:
    """The edits with pragmas that the compiler hears.

    ``heard``: whether it hears OpenMP's. Where nobody knows, it does if its flags say so, if a
    source has such directives, or if loops that threads share are added.
    """
    if is_heard(unit, parallel=parallel, heard=heard) or b"#pragma omp simd" in unit.buffer.data:
        return list(edits)
    if not any(_PRAGMA.search(edit.text) for edit in edits):
        return list(edits)
    return _Unheard(unit, edits).edits


def is_heard(unit: Unit, *, parallel: bool, heard: bool | None) -> bool:
    """Whether the compiler hears OpenMP's pragmas (see ``heard_pragmas``)."""
    if heard is not None:
        return heard
    return parallel or has_directives(unit.buffer.data) or hears_simd(unit.flags)


class _Unheard:
    """The edits with gcc's own pragma, or none, in place of OpenMP's."""

    def __init__(self, unit: Unit, edits: Sequence[Edit]) -> None:
        text = apply_edits(unit.buffer.data, edits)
        self._again = parse_edited(unit, edits, SourceBuffer(unit.buffer.path, text), calls=False)
        self.edits: list[Edit] = []
        longer = 0
        for edit in sorted(edits):
            start = edit.start + longer
            longer += len(edit.text) - (edit.end - edit.start)
            self.edits.append(replace(edit, text=self._text(edit.text, start)))

    def _text(self, text: bytes, start: int) -> bytes:
        """The text of an edit, which begins there in the new file."""
        return _PRAGMA.sub(lambda m: m.expand(self._pragma(start + m.end())), text)

    def _pragma(self, place: int) -> bytes:
        loop = loop_behind(self._again, place)
        return _UNHEARD if loop is not None and keeps_numbers(loop) else b""


def loop_behind(unit: Unit, place: int) -> Node | None:
    """The loop behind a place, with nothing but blanks between them."""
    cursor = unit.function_around(Span(place, place + 1))
    nodes = () if cursor is None else unit.convert(cursor).walk()
    for node in nodes:
        between = unit.buffer.data[place : node.span.start]
        if node.kind == "FOR_STMT" and node.span.start >= place and not between.strip():
            return node
    return None


def keeps_numbers(loop: Node) -> bool:
    """Whether all that a loop declares are numbers whose addresses nobody takes."""
    nodes = list(loop.walk())
    declared = [node for node in nodes if node.kind == "VAR_DECL"]
    if any(node.type.kind not in _NUMBERS for node in declared):
        return False
    own = {node.decl for node in declared}
    return not any(
        node.kind == "COMPOUND_LITERAL_EXPR"
        or (node.op == "&" and len(node.children) == 1 and node.children[0].bare.decl in own)
        for node in nodes
    )
