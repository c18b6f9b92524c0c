"""``#pragma vectorize spacelimit(16)`` before a loop: section 4.5.5 of the PolySIMD chapter.

The clause bounds the storage that renaming may add, in vectors. A pragma that is not understood is
ignored with a warning, as compilers do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from s2s.frontends.c.text import DirectiveLine, next_token
from s2s.source import Edit, SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, Severity
from s2s.source.records import dataclass

_COMMENT = re.compile(rb"/\*.*?\*/|//.*|\\\r?\n", re.DOTALL)
_PRAGMA = re.compile(rb"(?:#|%:)\s*pragma\s+vectorize\b")
_CLAUSE = re.compile(rb"[\s,]*(\w+|\S)\s*(\()?")
_NUMBER = re.compile(rb"\s*0*([1-9]\d{0,8})[uUlL]*\s*")


@dataclass(frozen=True)
class VectorizePragma:
    """One pragma; ``loop`` is where the loop begins that it stands before.

    ``spacelimit`` is a number of vectors, None where it has no such clause.
    """

    span: Span
    loop: int
    spacelimit: int | None = None


@dataclass(frozen=True)
class VectorizePragmas:
    """The pragmas of a file, and what is wrong with others."""

    pragmas: tuple[VectorizePragma, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def spacelimit(self, region: Span) -> int | None:
        """The smallest bound for a loop that begins in a region; None where there is none."""
        found = (p.spacelimit for p in self.pragmas if region.start <= p.loop < region.end)
        return min((limit for limit in found if limit is not None), default=None)

    def done(self, edits: Iterable[Edit]) -> Iterator[Edit]:
        """Take away the pragmas before loops that are no more, and leave their lines empty."""
        edits = tuple(edits)
        for pragma in self.pragmas:
            rewritten = any(e.start <= pragma.loop < e.end for e in edits)
            if rewritten and not any(e.start <= pragma.span.start < e.end for e in edits):
                yield Edit(pragma.span.start, pragma.span.end, b"")


class _Malformed(Exception):
    """What is wrong with a pragma, and where."""

    def __init__(self, span: Span, reason: str) -> None:
        super().__init__(reason)
        self.span = span


def read_pragmas(buffer: SourceBuffer, lines: Iterable[DirectiveLine]) -> VectorizePragmas:
    """The pragmas among the preprocessor lines of a file."""
    if b"vectorize" not in buffer.data:
        return VectorizePragmas()
    lines = tuple(lines)
    pragmas: list[VectorizePragma] = []
    diagnostics: list[Diagnostic] = []
    for line in lines:
        text = _COMMENT.sub(_blank, buffer.data[line.span.start : line.span.end])
        match = _PRAGMA.match(text)
        if match is None:
            continue
        try:
            limit = _spacelimit(text, match.end(), line.span.start)
            pragmas.append(VectorizePragma(line.span, _loop_behind(buffer, line, lines), limit))
        except _Malformed as problem:
            said = f"{problem}; '#pragma vectorize' is ignored"
            where = buffer.location(problem.span)
            diagnostics.append(Diagnostic(Severity.WARNING, said, "pragma", where))
    return VectorizePragmas(tuple(pragmas), tuple(diagnostics))


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match.group())


def _spacelimit(text: bytes, position: int, start: int) -> int | None:
    """The bound that the clauses give; ``start`` is where the text stands in the file."""
    limit: int | None = None
    for name, argument, span in _clauses(text, position, start):
        if name != "spacelimit":
            raise _Malformed(span, f"unknown clause '{name}'")
        if limit is not None:
            raise _Malformed(span, "a second 'spacelimit'")
        if argument is None:
            raise _Malformed(span, "'spacelimit' needs a number of vectors in parentheses")
        inside = text[argument.start - start : argument.end - start]
        number = _NUMBER.fullmatch(inside)
        if number is None:
            given = inside.decode("utf-8", "replace").strip()
            raise _Malformed(argument, f"'spacelimit' takes a positive whole number, not '{given}'")
        limit = int(number[1])
    return limit


def _clauses(text: bytes, position: int, start: int) -> Iterator[tuple[str, Span | None, Span]]:
    """Names of clauses with the places of their arguments and their own."""
    while match := _CLAUSE.match(text, position):
        name = Span(start + match.start(1), start + match.end(1))
        position = match.end(1)
        argument = None
        if match[2]:
            closing = text.find(b")", match.end())
            if closing < 0:
                raise _Malformed(name, "')' is missing")
            argument = Span(start + match.end(), start + closing)
            position = closing + 1
        yield match[1].decode("utf-8", "replace"), argument, name


def _loop_behind(buffer: SourceBuffer, line: DirectiveLine, lines: Sequence[DirectiveLine]) -> int:
    """Where the loop after a pragma, and after others that follow it, begins."""
    data = buffer.data
    ends = {other.span.start: other.span.end for other in lines}
    offset = next_token(data, line.span.end)
    while offset in ends:
        offset = next_token(data, ends[offset])
    if not re.match(rb"for\b|[A-Z_]\w*\s*\(", data[offset : offset + 80]):
        raise _Malformed(line.span, "there is no 'for' loop behind this")
    return offset
