"""Lines that are written beside the source's, laid out as its file is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from s2s.emitters.c.line_breaks import break_code, break_line, statements_of
from s2s.emitters.c.style import Style, columns, style_of
from s2s.source import SourceBuffer, Span

# Text in which a blank may be part of a token, or a line's end of a comment.
_WHOLE = re.compile(r"[#\"'\\]|/[/*]|\*/")
_HEAD = re.compile(r"(?:for|if|while) \(")
_ROOM = 60
"""Columns that a line may have at least, however deep it is."""


def indent_by_braces(lines: Sequence[str], buffer: SourceBuffer, place: int) -> str:
    """Lines for ``place``, each indented by the braces that are open; the first stands there."""
    line = buffer.text(Span(buffer.line_start(place), place))
    around, depth = line if not line.strip() else "", 0
    style = style_of(buffer.data)
    out: list[str] = []
    waits = 0  # heads without braces for what the next line does
    for text in lines:
        depth -= text.startswith("}")
        indent = f"{around}{style.unit * (depth + waits)}"
        pieces = _within(text, indent, style)
        for level, piece in enumerate(pieces):
            for part in piece:
                blank = not out or text.startswith("#")
                out.append(part if blank else f"{indent}{style.unit * level}{part}")
        depth += text.endswith("{")
        waits = len(pieces) if _HEAD.match(pieces[-1][0]) and text.endswith(")") else 0
    return "\n".join(out)


def break_long(line: str, style: Style) -> list[str]:
    """An indented line of code, over several ones where it is longer than those of the file."""
    if columns(line) <= style.width or "\n" in line or _WHOLE.search(line):
        return [line]
    pad = line[: len(line) - len(line.lstrip())]
    tabs = columns(pad) - len(pad)
    width = max(style.width, columns(pad) + _ROOM) - tabs
    return list(break_code([line], width, style.unit))


def _within(text: str, indent: str, style: Style) -> list[list[str]]:
    """A line; where it is longer than those of the file, what each head is for further in."""
    if columns(indent + text) <= style.width or _WHOLE.search(text):
        return [[text]]
    found = []
    for level, piece in enumerate(_pieces(text)):
        room = max(style.width - columns(indent + style.unit * level), _ROOM)
        lines = (break_line(one, room, style.unit) for one in statements_of(piece))
        found.append([line for each in lines for line in each])
    return found


def _pieces(text: str) -> Iterator[str]:
    """Heads without braces, and what they are for."""
    while found := _HEAD.match(text):
        end, open_ = found.end(), 1
        while open_ and end < len(text):
            open_ += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        rest = text[end:].strip()
        if not rest or rest == "{":
            break
        yield text[:end]
        text = rest
    yield text
