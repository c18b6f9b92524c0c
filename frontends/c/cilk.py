"""Programs with Cilk's words: C without them, and where its parallel loops begin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from s2s.frontends.c.flatten import Flattened
from s2s.frontends.c.parse import parse
from s2s.frontends.c.text import directives
from s2s.frontends.c.unit import Unit
from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, UserError

_CILK = re.compile(rb"\b(?:cilk|_Cilk)_(for|spawn|sync)\b")
_PLAIN = {b"for": b"for", b"spawn": b"", b"sync": b"(void)0"}
_OTHER_HEADERS = re.compile(r"include\s*<(?:cilk/cilk|cilk|omp|memoryweb|memoryweb/memoryweb)\.h>")


def parse_cilk(
    flat: Flattened, flags: Sequence[str], system: Sequence[str]
) -> tuple[Unit, frozenset[int]]:
    """The C of a program in one text, in the same places, and the offsets of its Cilk loops.

    Raises UserError where it cannot be parsed.
    """
    masked, loops = _masked(flat.buffer.data, openmp=True)
    given = [flag for flag in flags if not flag.startswith("-fopenmp")]
    unit = parse(SourceBuffer(flat.buffer.path, masked), given, system, on_disk=False)
    if unit.errors:  # perhaps because OpenMP's header is not there
        masked, _ = _masked(flat.buffer.data, openmp=False)
        unit = parse(SourceBuffer(flat.buffer.path, masked), given, system, on_disk=False)
    if unit.errors:
        raise UserError(*(_in_its_file(flat, error) for error in unit.errors))
    return unit, loops


def _in_its_file(flat: Flattened, error: Diagnostic) -> Diagnostic:
    place = error.location
    if place is None or place.path != flat.buffer.path:
        return error
    start = flat.buffer.line_offset(place.line) + place.column - 1
    return replace(error, location=flat.location(Span(start, start + 1)))


def _masked(data: bytes, *, openmp: bool) -> tuple[bytes, frozenset[int]]:
    """The text without Cilk's words and headers, at the same places; where its loops begin.

    ``openmp``: OpenMP's header stays.
    """
    text, loops = bytearray(data), set()
    lines = [line.span for line in directives(data)]
    for word in _CILK.finditer(data):
        if not any(span.start <= word.start() < span.end for span in lines):
            text[word.start() : word.end()] = _PLAIN[word.group(1)].ljust(len(word.group()))
            if word.group(1) == b"for":
                loops.add(word.start())
    for span in parallel_headers(data):
        if openmp and b"omp.h" in data[span.start : span.end]:
            continue
        text[span.start : span.end] = b" " * (span.end - span.start)
    return bytes(text), frozenset(loops)


def parallel_headers(data: bytes) -> list[Span]:
    """The lines that include headers of Cilk, OpenMP and Emu."""
    return [line.span for line in directives(data) if _OTHER_HEADERS.match(line.text)]
