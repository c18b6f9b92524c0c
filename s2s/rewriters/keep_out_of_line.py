"""Functions with tiled loops stay functions.

::

    static void sweep(...) { ... }    ->    __attribute__((noinline)) static void sweep(...) { ... }

A static function that is called once becomes part of its caller, ``main`` mostly, where gcc makes
other code of the same loops: of two measured nests in four, code that takes 1.1 and 1.2 times as
long. One call is nothing to loops that are tiled because their arrays outgrow the caches; what the
call says of sizes gets into the function all the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from s2s.emitters.c.style import columns, style_of
from s2s.frontends.c.regions import Function
from s2s.source import Edit

_TILED = re.compile(rb"/\* s2s: [^*]*\btiled \d+x\d+")
_STATIC = re.compile(rb"static\b[^(={;]*\(")
_ATTRIBUTE = b"__attribute__((noinline))"


def keep_out_of_line(function: Function, edits: Sequence[Edit]) -> list[Edit]:
    """The edits with one that keeps the function out of line, where it is static and has tiles."""
    span, data = function.node.span, function.unit.buffer.data
    inside = [e for e in edits if span.start <= e.start and e.end <= span.end]
    head = _STATIC.match(data, span.start, span.end)
    if head is None or re.search(rb"inline|noinline", head[0]):
        return list(edits)
    if any(e.start == span.start for e in edits) or not any(_TILED.search(e.text) for e in inside):
        return list(edits)
    line = data[function.unit.buffer.line_start(span.start) :].split(b"\n", 1)[0]
    is_long = columns(line.decode("utf-8", "replace")) + len(_ATTRIBUTE) >= style_of(data).width
    after = b"\n" if is_long and not line[:1].isspace() else b" "
    return [*edits, Edit(span.start, span.start, _ATTRIBUTE + after)]
