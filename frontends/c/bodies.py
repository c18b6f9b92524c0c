"""Bodies of functions that a parse of edited text can do without.

A region is rewritten in one function; what the others do in their bodies does not change what its
text means, and to parse them again for each region of a long file costs more than all else. They
are shown to the parser as declarations of the same length: what is not defined may do anything.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.text import directives, identifiers
from s2s.source import Edit, Span
from s2s.source.records import dataclass

# What keeps the lines where they are.
_BLANKS = bytes(c if c in b"\r\n" else 32 for c in range(256))


@dataclass(frozen=True)
class Body:
    """The text of a function ``name`` between its braces, with them.

    One that is ``kept`` is always shown to the parser; what it calls is known all the same.
    """

    name: str
    span: Span
    kept: bool = False


def find_bodies(data: bytes, functions: Iterable[Any]) -> Iterator[Body]:
    """The bodies in a file of C; left out are those with nothing but pragmas of OpenMP in them."""
    from s2s.frontends.c.effects import known_effects

    for function in functions:
        name = clang.spelling(function)
        start, end, in_macro = clang.extent(function)
        opening = next((c for c in clang.children(function) if _is_block(c)), None)
        if opening is None or in_macro:
            continue
        start, end, in_macro = clang.extent(opening)
        text = data[start:end]
        prototype = data[max(start - 200, 0) : start].rstrip()[-1:] == b")"  # no K&R declarations
        block = text[:1] == b"{" and text[-1:] == b"}"
        if not in_macro and block:
            plain = prototype and _is_plain(text) and known_effects(name, 0) is None
            yield Body(name, Span(start, end), kept=not plain)


def _is_block(cursor: object) -> bool:
    return clang.kind(cursor) == "COMPOUND_STMT"


def _is_plain(text: bytes) -> bool:
    """Whether a body says nothing to the preprocessor that the text after it depends on."""
    if b"_Pragma" in text:
        return False
    if b"#" not in text and b"%:" not in text and b"??=" not in text:
        return True
    return all(line.text.startswith("pragma omp") for line in directives(text))


@dataclass(frozen=True)
class Moved:
    """Where bodies stand after ``edits``: those ``apart`` from them, and those ``edited``.

    ``elsewhere`` says that an edit is in none of them.
    """

    apart: tuple[Body, ...]
    edited: tuple[Body, ...]
    elsewhere: bool

    @property
    def all(self) -> tuple[Body, ...]:
        return tuple(sorted((*self.apart, *self.edited), key=lambda body: body.span.start))


def move_bodies(bodies: Sequence[Body], edits: Sequence[Edit]) -> Moved:
    """The bodies' places in the edited text."""
    ordered = sorted(edits)
    starts = [e.start for e in ordered]
    shifts = [0]
    for edit in ordered:
        shifts.append(shifts[-1] + len(edit.text) - (edit.end - edit.start))
    apart: list[Body] = []
    edited: list[Body] = []
    inside = 0
    for body in bodies:
        start, end = body.span.start, body.span.end
        first, last = bisect_left(starts, start), bisect_left(starts, end)
        if first and ordered[first - 1].end > start:
            continue  # an edit goes through its head
        moved = body
        if shifts[first] or shifts[last]:
            moved = Body(body.name, Span(start + shifts[first], end + shifts[last]), body.kept)
        (apart if first == last else edited).append(moved)
        inside += last - first
    return Moved(tuple(apart), tuple(edited), inside < len(ordered))


def declare_only(data: bytes, bodies: Sequence[Body]) -> bytes:
    """A text with declarations in place of definitions; all else stays where it is."""
    pieces, position = [], 0
    for body in bodies:
        start, end = body.span.start, body.span.end
        pieces += [data[position:start], b";", data[start + 1 : end].translate(_BLANKS)]
        position = end
    return b"".join([*pieces, data[position:]])


def called_from(data: bytes, moved: Moved, words: set[str]) -> set[str]:
    """Names of functions that edited ones, or ``words`` of macros, may call, directly or not."""
    by_name = {body.name: body for body in moved.apart}
    if moved.elsewhere:
        return set(by_name)
    wanted: set[str] = set()
    new = set(words)
    for body in moved.edited:
        new |= identifiers(data[body.span.start : body.span.end])
    while new := {word for word in new if word in by_name} - wanted:
        wanted |= new
        new = set().union(*(
            identifiers(data[by_name[n].span.start : by_name[n].span.end]) for n in new
        ))  # fmt: skip
    return wanted
