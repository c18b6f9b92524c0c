"""Square roots that set no ``errno``, so that loops with them become vectors.

::

    #include <math.h>                      #include <math.h>
                                           extern double (sqrt)(double) __attribute__((__const__));
    void f(...) {                          void f(...) {
        for (i = 0; i < n; i++)     ->         for (i = 0; i < n; i++)
            a[i] /= sqrt(b[i]);                    a[i] /= sqrt(b[i]);
    }                                      }

ISO C lets ``sqrt`` set ``errno`` where its operand is negative (C17 7.12.7.5, 7.12.1p2), and
glibc's does. So gcc and clang put a branch to a call behind each root unless ``-fno-math-errno`` is
given, which keeps whole loops from being vectors. Declared once more as a function of its operand
alone, which both take for a root without that branch (gcc's manual, 6.33.1 "const"), it is an
instruction; IEEE 754 (5.4.1) rounds roots correctly, so the values are the same, and a NaN is still
returned, with its floating-point exception, for what has no root. Files that say anything of
``errno`` stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import ClassVar, Literal

from s2s.frontends.c.macro_words import words_of
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Node
from s2s.rewriters.above_functions import place_above
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.source import Edit
from s2s.source.flags import may_leave_errno
from s2s.source.records import dataclass
from s2s.transforms.scop_pass import Look

_TYPES = {"sqrt": "double", "sqrtf": "float"}
# What tells of errno, or how to handle what sets it, in the text or in macros.
_TELLING = frozenset({"errno", "perror", "strerror", "strerror_r", "math_errhandling", "matherr"})
_DEFINED = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(?:sqrtf?\b|(?:\\\r?\n|[^\n])*?\b(?:"
    + "|".join(sorted(_TELLING)).encode() + rb")\b)",
    re.MULTILINE,
)  # fmt: skip
_ABOVE = "/* s2s: roots depend on their operands alone: nothing here reads errno */"


@dataclass(frozen=True)
class Roots(TextPass):
    """The pass."""

    name: ClassVar[str] = "roots"
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.ROOTS})
    directives_only: ClassVar[bool] = True
    compiler: Literal["gcc", "clang"] = field(
        default="gcc", metadata={"help": "the compiler that reads the declaration"}
    )

    def edits(self, function: Function, done: Sequence[Edit]) -> Iterator[Rewrite]:
        """A declaration above the first function with roots in loops, for each kind of root."""
        unit = function.unit
        data = unit.buffer.data
        if unit.is_cxx or not unit.functions_with_roots or not may_leave_errno(unit.flags):
            return
        calls: dict[str, Node] = {}
        for loop, name in _roots(function):
            calls.setdefault(name, loop)
        texts = (data, *(e.text for e in done))
        for name in [n for n in calls if any(_declaration(n) in text for text in texts)]:
            del calls[name]
        if not calls:
            return
        # Of a long file this takes long.
        place = place_above(data, unit.buffer.line_start(function.node.span.start))
        if place is None:
            return
        loop = next(iter(calls.values()))
        if _reads_errno(data):
            yield Rewrite(loop.span, "the file reads errno, which roots may set")
            return
        lines = [_ABOVE.encode(), *map(_declaration, calls)]
        text = b"".join(line + b"\n" for line in (*lines, b""))
        # Before the end of the line above, where that is one byte: nothing begins there.
        if data[:place].endswith(b"\n") and not data[:place].endswith(b"\r\n"):
            place, text = place - 1, b"\n" + text[:-1]
        yield Rewrite(loop.span, "roots set no errno", (Edit(place, place, text),))


def _reads_errno(data: bytes) -> bool:
    """Whether a file may read errno, or stands for roots by macros of its own."""
    words = words_of(data.decode("latin-1"))
    return not _TELLING.isdisjoint(words) or _DEFINED.search(data) is not None


def _declaration(name: str) -> bytes:
    return f"extern {_TYPES[name]} ({name})({_TYPES[name]}) __attribute__((__const__));".encode()


def _roots(function: Function) -> Iterator[tuple[Node, str]]:
    """Loops with calls of the library's roots, or of functions of the file with roots."""
    rooted = function.unit.functions_with_roots
    for loop in _outermost(function.body):
        for node in loop.walk():
            if node.kind != "CALL_EXPR":
                continue
            if node.name in _TYPES and _is_library(node):
                yield loop, node.name
            yield from ((loop, name) for name in sorted(rooted.get(node.name, ())))


def _outermost(node: Node) -> Iterator[Node]:
    for child in node.children:
        if child.is_loop:
            yield child
        else:
            yield from _outermost(child)


def _is_library(call: Node) -> bool:
    """Whether what is called has the library's type, and is no function of a header."""
    decl = call.children[0].bare.decl
    return decl is not None and not decl.is_static and call.type.spelling == _TYPES[call.name]
