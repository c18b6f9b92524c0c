"""Reading C text without parsing it: comments, pragmas, directives and ends of statements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from s2s.source import Span

_LEXEME = re.compile(
    rb"//(?:\\\r?\n|[^\n])*|/\*.*?\*/"
    rb"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    rb"|^[ \t]*#(?:\\\r?\n|/\*.*?\*/|[^\n])*",
    re.DOTALL | re.MULTILINE,
)
_BLANK = re.compile(rb"(?:\s+|//(?:\\\r?\n|[^\n])*|/\*.*?\*/|\\\r?\n)*", re.DOTALL)
_DIRECTIVE = re.compile(rb"#(?:\\\r?\n|/\*.*?\*/|[^\n])*", re.DOTALL)
_OPENMP = re.compile(rb"#[ \t]*pragma[ \t]+omp\b")
_COMMENT = re.compile(rb"//(?:\\\r?\n|[^\n])*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class DirectiveLine:
    """A preprocessor line: its extent (without the line ending) and its text, spliced."""

    span: Span
    text: str

    @property
    def is_pragma(self) -> bool:
        return self.text.startswith("pragma")


def directives(data: bytes) -> Iterator[DirectiveLine]:
    """All preprocessor lines of a file, in order; lines inside comments and strings are not."""
    for match in _LEXEME.finditer(data):
        lexeme = match.group()
        stripped = lexeme.lstrip(b" \t")
        if not stripped.startswith(b"#"):
            continue
        end = match.end() - (1 if lexeme.endswith(b"\r") else 0)
        spliced = re.sub(rb"\\\r?\n", b" ", stripped[1:])
        plain = _COMMENT.sub(b" ", spliced).strip()
        start = match.start() + len(lexeme) - len(stripped)
        yield DirectiveLine(Span(start, end), plain.decode("utf-8", "replace"))


def skip_blank(data: bytes, offset: int) -> int:
    """Offset of the first byte at or after ``offset`` that is neither blank nor comment."""
    match = _BLANK.match(data, offset)
    return match.end() if match else offset


def next_token(data: bytes, offset: int) -> int:
    """Offset of the next token, over blanks, comments and preprocessor lines but OpenMP's."""
    while True:
        offset = skip_blank(data, offset)
        line = _DIRECTIVE.match(data, offset)
        if not line or _OPENMP.match(line.group()):
            return offset
        offset = line.end()


def statement_end(data: bytes, end: int) -> int | None:
    """End of a statement whose expression ends at ``end``: behind its semicolon, if it has one."""
    after = skip_blank(data, end)
    return after + 1 if data[after : after + 1] == b";" else None


def without_comments(data: bytes) -> bytes:
    """The text with comments replaced by one blank each and string contents left alone."""

    def blank(match: re.Match[bytes]) -> bytes:
        return b" " if match.group().startswith(b"/") else match.group()

    return _LEXEME.sub(blank, data)


def identifiers(data: bytes) -> set[str]:
    """The identifiers in a piece of C text, keywords included."""
    return {m.decode() for m in re.findall(rb"[A-Za-z_]\w*", _LEXEME.sub(b" ", data))}
