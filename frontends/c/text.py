"""Reading C text without parsing it: comments, pragmas, directives and ends of statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, count

from s2s.source import Span
from s2s.source.records import dataclass

_LINE_COMMENT = rb"//(?:\\\r?\n|[^\n])*"
_BLOCK_COMMENT = rb"/\*.*?\*/"
_RAW = rb"(?<!\w)(?:u8|[uUL])?R\"(?P<raw>[^()\\\s]{0,16})\(.*?\)(?P=raw)\""
_QUOTED = rb"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
# From a # (or its digraph) to the end of the line, which comments and backslashes carry on.
_REST = b"(?:" + b"|".join(
    (rb"\\\r?\n", _QUOTED, _LINE_COMMENT, _BLOCK_COMMENT, rb"[^\n]")
) + b")*"  # fmt: skip
_LINE = b"(?:#|%:)" + _REST
_LEXEME = re.compile(b"|".join((_LINE_COMMENT, _BLOCK_COMMENT, _RAW, _QUOTED)), re.DOTALL)
_LEXEME_OR_BRACKET = re.compile(_LEXEME.pattern + rb"|[()]", re.DOTALL)
_NAME = re.compile(rb"[A-Za-z_]\w*")
_LEXEME_OR_LINE = re.compile(_LEXEME.pattern + b"|" + _LINE, re.DOTALL)
_BLANK = re.compile(rb"(?:\s+|//(?:\\\r?\n|[^\n])*|/\*.*?\*/|\\\r?\n)*", re.DOTALL)
_DIRECTIVE = re.compile(_LINE, re.DOTALL)
_DEFINE = re.compile(rb"[ \t]*((?:#|%:)[ \t]*define\b" + _REST + b")", re.DOTALL)
_OPENMP = re.compile(rb"(?:#|%:)(?:\s|\\\r?\n)*pragma(?:[ \t]|\\\r?\n)+omp\b")
_COMMENT = re.compile(_LINE_COMMENT + b"|" + _BLOCK_COMMENT, re.DOTALL)
_SPLICE = re.compile(r"\\\r?\n")
# A comment, or a literal that may look as if it had one.
_COMMENT_OR_LITERAL = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""", re.DOTALL
)


@dataclass(frozen=True)
class DirectiveLine:
    """A preprocessor line: its extent (without the line ending) and its text, spliced."""

    span: Span
    text: str


def directives(data: bytes) -> tuple[DirectiveLine, ...]:
    """All preprocessor lines of a file, in order; lines inside comments and strings are not.

    Such a line begins with a # before which there is nothing but blanks and comments.
    """
    return _directives(data) if b"#" in data or b"%:" in data else ()


@lru_cache(maxsize=256)  # many ask about the same text of a file, and of headers
def _directives(data: bytes) -> tuple[DirectiveLine, ...]:
    return tuple(_directive_lines(data))


def _directive_lines(data: bytes) -> Iterator[DirectiveLine]:
    position, only_blanks = 0, True
    while match := _LEXEME_OR_LINE.search(data, position):
        before = data[position : match.start()].replace(b"\\\n", b"")
        only_blanks = (only_blanks or b"\n" in before) and not before.rpartition(b"\n")[2].strip()
        lexeme, position = match.group(), match.end()
        if lexeme.startswith((b"#", b"%:")):
            if only_blanks:
                yield _directive_line(lexeme, match.start())
            else:
                position = match.start() + 1
            continue
        only_blanks = only_blanks and lexeme.startswith(b"/")


def _directive_line(lexeme: bytes, start: int) -> DirectiveLine:
    end = start + len(lexeme) - (1 if lexeme.endswith(b"\r") else 0)
    spliced = re.sub(rb"\\\r?\n", b" ", lexeme[2 if lexeme.startswith(b"%:") else 1 :])
    plain = _COMMENT.sub(b" ", spliced).strip()
    return DirectiveLine(Span(start, end), plain.decode("utf-8", "replace"))


def hash_lines(data: bytes) -> list[bytes]:
    """Lines with a # or its digraph, with those that a backslash or a comment carries on.

    For a look at the text: it takes a fraction of the time of ``directives``, and has lines in
    comments and strings, too.
    """
    lines = data.split(b"\n")
    found = []
    for number, line in enumerate(lines):
        if b"#" in line or b"%:" in line:
            while number + 1 < len(lines) and _is_carried_on(line):
                number += 1
                line += b"\n" + lines[number]
            found.append(line)
    return found


def _is_carried_on(line: bytes) -> bool:
    ends = line.rstrip(b"\r").endswith(b"\\")
    return ends or (b"/*" in line and line.rfind(b"/*") > line.rfind(b"*/"))


@lru_cache(maxsize=16384)
def definition_in(line: bytes) -> str:
    """Name and text of the macro that one of the ``hash_lines`` defines; empty for another line."""
    match = _DEFINE.match(line)
    if match is None:
        return ""
    return _directive_line(match[1], 0).text.removeprefix("define").lstrip()


def defined_by(flags: Sequence[str]) -> list[str]:
    """Names and texts of the macros that flags define."""
    return [flag[2:].replace("=", " ", 1) for flag in flags if flag.startswith("-D")]


def has_whole_conditionals(data: bytes) -> bool:
    """Whether all conditional compilation that begins in a text ends there, and the reverse."""
    depth = 0
    for line in directives(data):
        if line.text.startswith("if"):
            depth += 1
        elif line.text.startswith(("el", "endif")):
            if depth == 0:
                return False
            depth -= line.text.startswith("endif")
    return depth == 0


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
    """End of a statement whose expression ends at ``end``: after its semicolon, if it has one.

    Where a macro's argument is the last token of an expression, libclang has the expression end at
    the macro's name (``end`` is the ``F`` of ``a = F(0);``).
    """
    after = skip_blank(data, _behind_use(data, end))
    return after + 1 if data[after : after + 1] == b";" else None


def _behind_use(data: bytes, start: int) -> int:
    """After the use of a function-like macro that begins at ``start``, if there is one."""
    name = _NAME.match(data, start)
    position = skip_blank(data, name.end()) if name else start
    if name is None or data[position : position + 1] != b"(":
        return start
    depth = 0
    while token := _LEXEME_OR_BRACKET.search(data, position):
        depth += {b"(": 1, b")": -1}.get(token.group(), 0)
        position = token.end()
        if depth == 0:
            return position
    return start


def identifiers(data: bytes) -> set[str]:
    """The identifiers in a piece of C text, keywords included."""
    return {m.decode() for m in re.findall(rb"[A-Za-z_]\w*", _LEXEME.sub(b" ", data))}


@lru_cache(maxsize=4)
def free_prefix(data: bytes) -> str:
    """What introduced names begin with, and no other name of a file."""
    taken = {word.split("_")[0] for word in identifiers(data) if word.startswith("s2s")}
    prefixes = chain(["s2s"], (f"s2s{i}" for i in count(2)))
    return next(f"{p}_" for p in prefixes if p not in taken)


def places_of(data: bytes, name: str) -> list[int]:
    """Where an identifier stands in a C text, outside of comments and strings."""
    plain = _LEXEME.sub(lambda match: b" " * len(match.group()), data)
    pattern = rb"(?<![\w])" + re.escape(name.encode()) + rb"(?![\w])"
    return [match.start() for match in re.finditer(pattern, plain)]


_LEXEME_OR_MARK = re.compile(_LEXEME.pattern + rb"|[][(){}]|&&|\|\||[;,?]", re.DOTALL)


def read_parenthesized(data: bytes, offset: int) -> Span | None:
    """What stands between the first parenthesis after a place and the one that closes it."""
    depth, start = 0, 0
    for token in _LEXEME_OR_BRACKET.finditer(data, offset):
        if token.group() == b"(":
            start = start if depth else token.end()
            depth += 1
        elif token.group() == b")":
            depth -= 1
            if depth <= 0:
                return Span(start, token.start()) if depth == 0 else None
    return None


def marks(data: bytes, span: Span) -> Iterator[tuple[int, bytes]]:
    """The ``;`` ``,`` ``?`` ``&&`` ``||`` of a text that no bracket encloses, with their places."""
    depth = 0
    for token in _LEXEME_OR_MARK.finditer(data, span.start, span.end):
        mark = token.group()
        if mark in (b"(", b"[", b"{"):
            depth += 1
        elif mark in (b")", b"]", b"}"):
            depth -= 1
        elif depth == 0 and mark in (b";", b",", b"?", b"&&", b"||"):
            yield token.start(), mark


def one_line(text: str) -> str:
    """C text without comments and spliced lines, which could swallow what follows."""
    spliced = _SPLICE.sub("", text)
    return _COMMENT_OR_LITERAL.sub(lambda m: m[0] if m[0][0] in "'\"" else " ", spliced).strip()
