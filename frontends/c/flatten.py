"""A file with its own headers in their places, for targets that need a program in one file."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path

from s2s.frontends.c.text import directives
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.diagnostics import Location
from s2s.source.records import dataclass

_INCLUDE = re.compile(r'include\s*"([^"]+)"')
_ONCE = re.compile(r"pragma\s+once\b")


@dataclass(frozen=True)
class Flattened:
    """A text made of several files; ``pieces`` say, by first byte, which file is where."""

    buffer: SourceBuffer
    pieces: tuple[tuple[int, SourceBuffer, int], ...] = field(repr=False)

    def location(self, span: Span) -> Location:
        """Where the first byte of a span stands in the file that it came from."""
        place = bisect_right([start for start, _, _ in self.pieces], span.start) - 1
        start, origin, offset = self.pieces[place]
        first = span.start - start + offset
        return origin.location(Span(first, min(first + span.end - span.start, len(origin.data))))


def flatten_includes(buffer: SourceBuffer, flags: Sequence[str]) -> Flattened:
    """The file with the text of each ``#include "..."`` that is found in the directive's place.

    Headers are looked for beside the including file, then in the folders of -iquote and -I.
    """
    work = _Flattening(_folders(flags))
    work.add(buffer)
    return Flattened(SourceBuffer(buffer.path, b"".join(work.texts)), tuple(work.pieces))


def apply_text_edits(flat: Flattened, edits: Sequence[Edit]) -> Flattened:
    """The text with edits in it; new text is from where it is put."""
    pieces: list[tuple[int, SourceBuffer, int]] = []
    size = position = 0
    for edit in sorted(edits):
        pieces += _shifted(flat, position, edit.start, size)
        size += edit.start - position
        pieces += _shifted(flat, edit.start, edit.start + 1, size)
        size += len(edit.text)
        position = edit.end
    pieces += _shifted(flat, position, len(flat.buffer.data), size)
    text = apply_edits(flat.buffer.data, edits)
    return Flattened(SourceBuffer(flat.buffer.path, text), tuple(pieces))


def _shifted(
    flat: Flattened, start: int, end: int, to: int
) -> Iterator[tuple[int, SourceBuffer, int]]:
    """The pieces of ``start:end``, for the same text at ``to``."""
    ends = [*(piece[0] for piece in flat.pieces[1:]), len(flat.buffer.data)]
    for (begin, origin, offset), last in zip(flat.pieces, ends, strict=True):
        first = max(begin, start)
        if first < min(last, end):
            yield first - start + to, origin, offset + first - begin


def _folders(flags: Sequence[str]) -> list[str]:
    found = []
    for place, flag in enumerate(flags):
        for option in ("-iquote", "-I"):
            if flag == option and place + 1 < len(flags):
                found.append(flags[place + 1])
            elif flag.startswith(option) and len(flag) > len(option):
                found.append(flag[len(option) :])
    return found


class _Flattening:
    """Puts texts after each other; a header with ``#pragma once`` comes once."""

    def __init__(self, folders: list[str]) -> None:
        self.texts: list[bytes] = []
        self.pieces: list[tuple[int, SourceBuffer, int]] = []
        self._folders = folders
        self._size = 0
        self._open: list[str] = []
        self._done: set[str] = set()

    def add(self, buffer: SourceBuffer) -> None:
        self._open.append(os.path.realpath(buffer.path))
        position = 0
        for line in directives(buffer.data):
            header = self._header(line.text, buffer.path)
            if header is None and not _ONCE.match(line.text):
                continue
            self._put(buffer, position, line.span.start)
            position = line.span.end
            if header is None:
                self._done.add(self._open[-1])
            elif os.path.realpath(header) not in self._done:
                self.add(SourceBuffer(header, Path(header).read_bytes().rstrip(b"\n")))
        self._put(buffer, position, len(buffer.data))
        self._open.pop()

    def _header(self, line: str, includer: str) -> str | None:
        found = _INCLUDE.match(line)
        if found is None:
            return None
        for folder in (os.path.dirname(includer), *self._folders):
            path = os.path.join(folder, found.group(1))
            if os.path.isfile(path) and os.path.realpath(path) not in self._open:
                return path
        return None

    def _put(self, buffer: SourceBuffer, start: int, end: int) -> None:
        if start < end or not self.pieces:
            self.pieces.append((self._size, buffer, start))
            self.texts.append(buffer.data[start:end])
            self._size += end - start
