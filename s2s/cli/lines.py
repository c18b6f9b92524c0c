r"""``#line`` directives that let a compiler speak of the original file.

A transformed text is compiled in place of the original, and what the compiler then says (warnings,
``__LINE__``, debug information) must name the user's file and the user's lines. The directives are
worked out from the two texts alone: one at the top, and one after each region where the count of
lines went astray. A directive is only put where a line of the new text begins outside of comments,
strings, parentheses (it might be a macro's argument list) and continued lines.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from s2s.source.records import dataclass

_TOKEN = re.compile(
    rb"""
      (?P<directive>(?<![^\n])[ \t]*\#
          (?:\\[ \t\r]*\n|//(?:\\[ \t\r]*\n|[^\n])*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|[^\n])*)
    | (?P<comment>//(?:\\[ \t\r]*\n|[^\n])*|/\*.*?\*/)
    | (?P<raw>\b(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")
    | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    | (?P<number>\.?[0-9](?:'[0-9A-Za-z_]|[eEpP][+-]|[0-9A-Za-z_.])*)
    | (?P<word>[A-Za-z_]\w*)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<splice>\\[ \t\r]*\n)
    """,
    re.VERBOSE | re.DOTALL,
)
_CONDITIONAL = re.compile(rb"[ \t]*#[ \t]*(if|el|endif)")
_RENUMBER = re.compile(rb'[ \t]*#[ \t]*(?:line[ \t]+)?([0-9]+)(?:[ \t]+("(?:\\.|[^"\\])*"))?')
_ANY_RENUMBER = re.compile(rb"[ \t]*#[ \t]*(?:line\b|[0-9])")
_BOM = b"\xef\xbb\xbf"


@dataclass
class _Line:
    """What is known of the beginning of one line; ``branches`` are those of conditionals open."""

    safe: bool = True
    branches: tuple[int, ...] = ()
    directive: bytes | None = None


class _Scan:
    """One pass over a text that finds out where a directive may stand."""

    def __init__(self, text: bytes) -> None:
        self._starts = [0, *(m.end() for m in re.finditer(rb"\n", text))]
        self.lines = [_Line() for _ in self._starts]
        self._depth = 0
        self._depth_at: list[int] = []
        self._branches: tuple[int, ...] = ()
        self._reached = 0
        for token in _TOKEN.finditer(text):
            self._settle(token.start())
            self._take(token)
        self._settle(len(text))

    def _settle(self, position: int) -> None:
        """Fix the lines that begin up to ``position`` with the state that holds there."""
        last = bisect_right(self._starts, position)
        for line in self.lines[self._reached : last]:
            line.safe = line.safe and self._depth <= 0
            line.branches = self._branches
        self._reached = max(self._reached, last)

    def _take(self, token: re.Match[bytes]) -> None:
        first = bisect_right(self._starts, token.start())
        last = bisect_left(self._starts, token.end() + (token.lastgroup == "splice"))
        for line in self.lines[first:last]:
            line.safe = False
        if token.lastgroup == "open":
            self._depth += 1
        elif token.lastgroup == "close":
            self._depth -= 1
        elif token.lastgroup == "directive":
            self.lines[bisect_right(self._starts, token.start()) - 1].directive = token.group()
            self._conditional(token.group())

    def _conditional(self, directive: bytes) -> None:
        """Branches of one conditional begin at the same depth of parentheses."""
        match = _CONDITIONAL.match(directive)
        if not match:
            return
        number = self._reached
        if match[1] == b"if":
            self._depth_at.append(self._depth)
            self._branches = (*self._branches, number)
        elif self._depth_at:
            if match[1] == b"el":
                self._depth = self._depth_at[-1]
                self._branches = (*self._branches[:-1], number)
            else:
                self._depth_at.pop()
                self._branches = self._branches[:-1]


def with_line_directives(original: bytes, text: bytes, name: str) -> bytes | None:
    """``text`` with directives that give each kept line its number in ``original``.

    None when the numbering cannot be known: trigraphs, or ``#line`` directives of the user's own
    under conditions or with computed operands.
    """
    quoted = _quote(name)
    if quoted is None or b"??/" in text:
        return None
    places = _presumed(original, quoted)
    if places is None:
        return None
    bom = _BOM if text.startswith(_BOM) else b""
    lines = text[len(bom) :].split(b"\n")
    ending = b"\r\n" if lines[0].endswith(b"\r") else b"\n"
    before = original.removeprefix(_BOM).split(b"\n")
    pieces = [bom, b"#line 1 ", quoted, ending]
    syncs = dict(_syncs(lines, _Scan(b"\n".join(lines)).lines, _kept(before, lines)))
    for index, line in enumerate(lines):
        if index in syncs:
            number, file = places[syncs[index]]
            pieces += [b"#line %d " % number, file, ending]
        pieces.append(line if index == len(lines) - 1 else line + b"\n")
    return b"".join(pieces)


def _quote(name: str) -> bytes | None:
    """A file name as the string literal that ``#line`` wants."""
    raw = name.encode("utf-8", "surrogateescape")
    if any(byte < 0x20 for byte in raw):
        return None
    return b'"' + raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def _presumed(original: bytes, name: bytes) -> list[tuple[int, bytes]] | None:
    """The number and the file that a compiler gives each line of the original."""
    places: list[tuple[int, bytes]] = []
    number, file = 1, name
    for line in _Scan(original).lines:
        places.append((number, file))
        number += 1
        if line.directive is None or not _ANY_RENUMBER.match(line.directive):
            continue
        match = _RENUMBER.match(line.directive)
        if match is None or line.branches:
            return None
        number, file = int(match[1]), match[2] or file
    return places


def _kept(before: list[bytes], after: list[bytes]) -> dict[int, int]:
    """Which line of the original each kept line of the new text is, both counted from 0."""
    from difflib import SequenceMatcher

    limit = min(len(before), len(after))
    head = next((i for i in range(limit) if before[i] != after[i]), limit)
    tail = next((i for i in range(limit - head) if before[-1 - i] != after[-1 - i]), limit - head)
    kept = {line: line for line in range(head)}
    middle = SequenceMatcher(
        None, before[head : len(before) - tail], after[head : len(after) - tail]
    )
    for a, b, size in middle.get_matching_blocks():
        kept.update((head + b + k, head + a + k) for k in range(size))
    shift = len(before) - len(after)
    kept.update((line, line + shift) for line in range(len(after) - tail, len(after)))
    return kept


def _syncs(
    lines: list[bytes], states: list[_Line], kept: dict[int, int]
) -> Iterator[tuple[int, int]]:
    """Where a directive belongs, and the line of the original that follows it.

    Text of a branch that is not compiled swallows its directives, so a directive within a branch
    is said again when that branch has ended.
    """
    shift = 0
    said_in: tuple[int, ...] = ()
    for index in range(len(lines)):
        source = kept.get(index)
        state = states[index]
        if source is None or not state.safe:
            continue
        if source - index != shift or state.branches[: len(said_in)] != said_in:
            yield index, source
            shift, said_in = source - index, state.branches
