"""Conditional compilation in a region: which lines the parser has taken, and under what.

The parser sees one configuration. New code that comes from it is put between ``#if`` with the
conditions of that configuration and ``#else`` with the source's own text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import field

from s2s.frontends.c.text import DirectiveLine, directives, skip_blank
from s2s.frontends.c.unit import Unit
from s2s.source import Edit, SourceBuffer, Span
from s2s.source.records import dataclass

_CONDITIONAL = re.compile(r"(ifdef|ifndef|if|elif|else|endif|elifdef|elifndef)\b\s*(.*)", re.DOTALL)
_DEFINITION = re.compile(r"(define|undef)\s+(\w+)")


class Undecided(Exception):
    """The configuration of a piece of text cannot be written as a condition."""


@dataclass
class _Group:
    """An ``#if`` and its branches up to here; ``active`` where its lines are looked at at all."""

    active: bool
    failed: list[str] = field(default_factory=list)
    taken: str | None = None
    ended: bool = False


@dataclass(frozen=True)
class Text:
    """A range of a file, with what the preprocessor has skipped of the file."""

    data: bytes
    span: Span
    skipped: Sequence[Span]

    def lines(self) -> list[DirectiveLine]:
        start = self.span.start
        return [
            DirectiveLine(Span(d.span.start + start, d.span.end + start), d.text)
            for d in directives(self.data[start : self.span.end])
        ]

    def skips(self, offset: int) -> bool:
        return any(s.start <= offset < s.end for s in self.skipped)


@dataclass(frozen=True)
class Configuration:
    """What has to hold for the preprocessor to leave of a text what it has left of it.

    ``closing`` is the line ``#endif`` of a condition that begins before the text, with nothing
    but pragmas of the text under it.
    """

    conditions: tuple[str, ...] = ()
    closing: Span | None = None


def configuration(
    text: Text, always: Set[str] = frozenset(), statement: int | None = None
) -> Configuration:
    """The configuration of a text of which the parser has seen one.

    ``always`` are macros that the file defines in every configuration; ``statement`` is where the
    code after the pragmas of the text begins. Raises Undecided where a condition begins or ends
    inside the text only, or may change there.
    """
    found: list[str] = []
    groups: list[_Group] = []
    closing: Span | None = None
    if b"#" not in text.data[text.span.start : text.span.end]:
        return Configuration()
    for line in text.lines():
        if _DEFINITION.match(line.text) or re.match(r"include|error|line", line.text):
            raise Undecided("it contains preprocessor definitions")
        match = _CONDITIONAL.match(line.text)
        if not match:
            continue
        if not groups and match.group(1) == "endif" and closing is None:
            closing = _closing(text, line, statement)
        else:
            found += _step(text, line, match.group(1), match.group(2).strip(), groups)
    if groups:
        raise Undecided("a preprocessor condition ends behind it")
    known = {f"defined({name})" for name in always}
    return Configuration(tuple(dict.fromkeys(c for c in found if c not in known)), closing)


def in_front(text: Text, start: int) -> Text:
    """The conditional lines that end right before a place, where there are pragmas in them.

    In another configuration those pragmas belong to what stands there.
    """
    lines = directives(text.data)
    before = lines[: bisect_right(lines, start, key=lambda line: line.span.end)]
    if not before or skip_blank(text.data, before[-1].span.end) < start:
        return Text(text.data, Span(start, start), text.skipped)  # something stands between
    opened: list[int] = []
    for line in before:
        match = _CONDITIONAL.match(line.text)
        if match and match.group(1).startswith("if"):
            opened.append(line.span.start)
        elif match and match.group(1) == "endif" and opened:
            first = opened.pop()
            adjacent = skip_blank(text.data, line.span.end) >= start
            if adjacent and re.search(rb"#[ \t]*pragma", text.data[first : line.span.end]):
                return Text(text.data, Span(first, start), text.skipped)
    return Text(text.data, Span(start, start), text.skipped)


def _closing(text: Text, line: DirectiveLine, statement: int | None) -> Span:
    """The end of a condition without other branches that has only pragmas of the text under it."""
    opened: list[list[str]] = []
    for other in directives(text.data[: line.span.start]):
        match = _CONDITIONAL.match(other.text)
        if match and match.group(1).startswith("if"):
            opened.append([])
        elif match and match.group(1) == "endif" and opened:
            opened.pop()
        elif match and opened:
            opened[-1].append(match.group(1))
    if statement is None or line.span.end > statement or not opened or opened[-1]:
        raise Undecided("a preprocessor condition begins in front of it")
    return line.span


def closed(text: Text, closing: Span) -> tuple[Edit, Edit]:
    """Edits that end a condition after a text instead, whose code is the other branch, too.

    ::

        #ifdef A                       #ifdef A
        #pragma ...                    #pragma ...
        #endif                         for (...) ...
        for (...) ...                  #else
                                       for (...) ...
                                       #endif
    """
    code = text.data[closing.end : text.span.end].lstrip(b"\r\n")
    end = text.span.end
    return (
        Edit(closing.start, closing.end, b""),
        Edit(end, end, b"\n#else\n" + code + b"\n#endif" + _line_end(text.data, end)),
    )


def _line_end(data: bytes, offset: int) -> bytes:
    """A line end, where something else stands on the line."""
    end = data.find(b"\n", offset)
    return b"\n" if data[offset : end if end >= 0 else len(data)].strip() else b""


def _step(
    text: Text, line: DirectiveLine, word: str, rest: str, groups: list[_Group]
) -> Iterator[str]:
    """Go over one line; yields the conditions of a group when it ends."""
    if word.startswith("if"):
        outer = not groups or (groups[-1].active and not text.skips(line.span.start - 1))
        groups.append(_Group(outer))
    elif not groups:
        raise Undecided("a preprocessor condition begins in front of it")
    group = groups[-1]
    if word == "endif":
        groups.pop()
        if group.active:
            yield from (f"!{_whole(c)}" for c in group.failed)
            yield from [group.taken] if group.taken else []
        return
    if not group.active or group.ended:
        return
    condition = _condition(word, rest)
    if not text.skips(line.span.end):
        group.ended, group.taken = True, condition
    else:
        group.failed.append(condition)


def _condition(word: str, rest: str) -> str:
    if word in ("ifdef", "elifdef"):
        return f"defined({rest})"
    if word in ("ifndef", "elifndef"):
        return f"!defined({rest})"
    return "" if word == "else" else _whole(rest)


def _whole(condition: str) -> str:
    """The condition as an operand."""
    plain = re.fullmatch(r"!?defined\(\w+\)|\w+|\([^()]*\)", condition)
    return condition if plain else f"({condition})"


def always_defined(unit: Unit) -> frozenset[str]:
    """Macros that the file defines outside of all conditionals and never takes back."""
    depth = 0
    defined: set[str] = set()
    removed: set[str] = set()
    for line in directives(unit.buffer.data):
        match = _CONDITIONAL.match(line.text)
        if match:
            depth += match.group(1).startswith("if") - (match.group(1) == "endif")
        found = _DEFINITION.match(line.text)
        if found and found.group(1) == "undef":
            removed.add(found.group(2))
        elif found and not depth:
            defined.add(found.group(2))
    return frozenset(defined - removed)


def resolve_conditionals(text: Text) -> list[Edit]:
    """Edits that leave of a text what the parser has seen, without the conditionals."""
    lines = [line.span for line in text.lines() if _CONDITIONAL.match(line.text)]
    if not lines:
        return []
    skipped = [s for s in text.skipped if s in text.span]
    return [Edit(s.start, s.end, b"") for s in _union([*lines, *skipped])]


def _union(spans: list[Span]) -> list[Span]:
    """Spans that cover the same bytes and do not overlap."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def only_under(
    buffer: SourceBuffer, edit: Edit, wanted: Sequence[str], otherwise: bytes | None = None
) -> Edit:
    """An edit whose text stands for one configuration; others have ``otherwise``.

    That is the source's text where it is None.
    """
    if not wanted:
        return edit
    head = buffer.data[buffer.line_start(edit.start) : edit.start]
    before = b"" if head.strip() else head
    old = buffer.data[edit.start : edit.end] if otherwise is None else otherwise
    text = b"".join(
        [b"\n" if head.strip() else b"", b"#if ", " && ".join(map(_whole, wanted)).encode(), b"\n",
         before, edit.text, b"\n#else\n", before, old, b"\n#endif",
         _line_end(buffer.data, edit.end)]
    )  # fmt: skip
    return Edit(edit.start, edit.end, text)
