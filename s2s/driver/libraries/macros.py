"""Macros that nests come from, written out: the text that the compiler sees in their place."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Sequence

from s2s.frontends.c.prepare.prepared_buffer import PreparedBuffer
from s2s.frontends.c.text import free_prefix
from s2s.source import Edit, SourceBuffer, Span, apply_edits

_NAME = re.compile(rb"[A-Za-z_]\w*")
_LIMIT = 30


def invocation_at(buffer: SourceBuffer, offset: int) -> Span | None:
    """The name and arguments of a macro that stands at a place; None where no name does."""
    name = _NAME.match(buffer.data, offset)
    if name is None:
        return None
    end = name.end()
    opening = re.compile(rb"\s*\(").match(buffer.data, end)
    if opening is None:
        return Span(offset, end)
    depth, place = 1, opening.end()
    while depth and place < len(buffer.data):
        depth += {b"(": 1, b")": -1}.get(buffer.data[place : place + 1], 0)
        place += 1
    return None if depth else Span(offset, place)


def expand(
    buffer: SourceBuffer, uses: Iterable[Span], flags: Sequence[str]
) -> PreparedBuffer | None:
    """The file with some uses of macros written out; None where the compiler does not say how."""
    places = sorted(set(uses), key=lambda s: s.start)
    apart = [s for k, s in enumerate(places) if not k or s.start >= places[k - 1].end]
    texts = _expanded(buffer, apart, flags) if apart else None
    if texts is None:
        return None
    edits = tuple(
        Edit(s.start, s.end, _laid_out(text, buffer, s))
        for s, text in zip(apart, texts, strict=True)
    )
    return PreparedBuffer(buffer.path, apply_edits(buffer.data, edits), buffer, (edits,), ((),))


def unused(buffer: PreparedBuffer, edits: Sequence[Edit]) -> list[Edit]:
    """The edits that bring back macros in whose text nothing has changed."""
    (made,) = buffer.rounds
    found, moved = [], 0
    for edit in made:
        start = edit.start + moved
        end = start + len(edit.text)
        moved += len(edit.text) - (edit.end - edit.start)
        if not any(own.start < end and start < own.end for own in edits):
            found.append(Edit(start, end, buffer.original.data[edit.start : edit.end]))
    return found


def _expanded(buffer: SourceBuffer, uses: Sequence[Span], flags: Sequence[str]) -> list[str] | None:
    """What the compiler's preprocessor makes of some places of a file."""
    import os

    mark = free_prefix(buffer.data) + "use"
    edits = []
    for number, span in enumerate(uses):
        own = buffer.data[span.start : span.end]
        edits.append(Edit(span.start, span.end, b" %b_%d_begin %b %b_%d_end "
                          % (mark.encode(), number, own, mark.encode(), number)))  # fmt: skip
    folder = os.path.dirname(os.path.abspath(buffer.path))
    command = ["gcc", *flags, "-iquote", folder, "-E", "-P", "-x", "c", "-"]
    try:
        done = subprocess.run(command, input=apply_edits(buffer.data, edits), capture_output=True,
                              timeout=_LIMIT)  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    text = done.stdout.decode("utf-8", "surrogateescape")
    found = [
        re.search(rf"\b{mark}_{n}_begin\b(.*?)\b{mark}_{n}_end\b", text, re.DOTALL)
        for n in range(len(uses))
    ]
    if done.returncode or None in found or any("#" in m[1] for m in found if m is not None):
        return None  # a pragma among them has a line of its own
    return [" ".join(m[1].split()) for m in found if m is not None]


_BREAKS = re.compile(r"[(){};]|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")


def _laid_out(text: str, buffer: SourceBuffer, span: Span) -> bytes:
    """Statements of one line on lines of their own."""
    start = buffer.line_start(span.start)
    head = buffer.data[start : span.start]
    indent = head.decode("utf-8", "surrogateescape") if not head.strip() else ""
    lines, line, depth, level, place = [], "", 0, 0, 0

    def end_line() -> None:
        nonlocal line
        if line.strip():
            lines.append("    " * level + line.strip())
        line = ""

    for match in _BREAKS.finditer(text):
        line += text[place : match.end()]
        place, word = match.end(), match[0]
        depth += {"(": 1, ")": -1}.get(word, 0)
        if depth or word not in ("{", "}", ";"):
            continue
        if word == "}":
            line = line.strip()[:-1]
            end_line()
            level = max(level - 1, 0)
            line = "}"
        end_line()
        level += word == "{"
    line += text[place:]
    end_line()
    return f"\n{indent}".join(lines).encode("utf-8", "surrogateescape")
