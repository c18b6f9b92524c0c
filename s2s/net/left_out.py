"""What new code names for the net alone: it may leave the text, and nothing else may."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import takewhile
from typing import TypeAlias

from s2s.net import Mismatch
from s2s.source.records import dataclass

_TOKEN = re.compile(
    r"(?P<directive>^[ \t]*#(?:\\\r?\n|[^\n])*)|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\w+|\S",
    re.MULTILINE,
)
_BLANKS = re.compile(r"(?:\s|\\\r?\n)+")
_ALONE = re.compile(r"# ?pragma omp (?:ordered depend|barrier|taskwait)|#(?! ?pragma)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_DECLARATION = re.compile(r"[A-Za-z_]\w*(?: \*)* [A-Za-z_]\w*")


@dataclass(frozen=True)
class _Unused:
    """What ``const TYPE NAME = VALUE; (void)NAME;`` is."""

    name: str


@dataclass(frozen=True)
class _End:
    """Where a block ends whose braces are not kept."""


_Item: TypeAlias = "str | _Unused | _End | list[_Item]"


def check_left_out(whole: bytes, short: bytes) -> None:
    """Raise Mismatch unless a text is another one without constants that it does not name.

    Left out may be ``const TYPE NAME = VALUE; (void)NAME;`` where nothing else of the block names
    it, and the braces of blocks that no head or directive needs. Something may come after these
    in the block around them only where they declare nothing.
    """
    tokens = list(_tokens(short))
    left, kept = _items(_tokens(whole)), _items(iter(tokens))
    if tokens.count("{") != tokens.count("}") or not _Comparison(list(reversed(left))).is_same(
        kept
    ):
        raise Mismatch("new code is not what was read without what it does not name")


def check_declared_before(short: bytes, c90: bytes) -> None:
    """Raise Mismatch unless a text is another one whose loops count by variables of their own.

    These stand first in a block in which there is nothing else but the loop with its directives.
    """
    if _declared_inside(c90) != _declared_inside(short):
        raise Mismatch("new code in C90 is not what it was with declarations in its loops")


def _declared_inside(text: bytes) -> list[str]:
    """The tokens of a text with variables declared by loops where blocks do it for them."""
    tokens = list(_tokens(text))
    for start in range(len(tokens) - 1, -1, -1):  # inner blocks first
        place, types = start + 1, dict[str, list[str]]()
        while tokens[start] == "{" and (type_ := _declared_at(tokens, place)):
            types[tokens[place + len(type_)]] = type_
            place += len(type_) + 2
        if types:
            end = _statement_end(tokens, place)
            loop = _with_types(tokens[place:end], types)
            if loop and tokens[end : end + 1] == ["}"]:
                tokens[start : end + 1] = loop
    return tokens


def _declared_at(tokens: Sequence[str], at: int) -> list[str]:
    """The type of a variable that is declared at a place, without a value; empty for others."""
    names = list(takewhile(lambda t: _NAME.fullmatch(t) or t == "*", tokens[at:]))
    ends = tokens[at + len(names) : at + len(names) + 1] == [";"]
    return names[:-1] if ends and names[0] not in ("return", "goto") else []


def _with_types(loop: list[str], types: Mapping[str, list[str]]) -> list[str]:
    """A loop with those in it that count by these variables; empty where one does not."""
    for name, type_ in types.items():
        starts = (n for n in range(len(loop)) if loop[n : n + 4] == ["for", "(", name, "="])
        at = next(starts, -1)
        outer = [w for w in loop[: max(at, 0)] if not w.startswith("#")]
        if at < 0 or name in outer or (outer and outer[0] != "for"):
            return []
        loop = [*loop[: at + 2], *type_, *loop[at + 2 :]]
    return loop


def _statement_end(tokens: Sequence[str], at: int) -> int:
    """After the statement at a place, which may be a loop with directives."""
    while tokens[at].startswith("#"):
        at += 1
    while tokens[at] in ("for", "if", "while"):
        at = _closed(tokens, at + 1)
        while tokens[at].startswith("#"):
            at += 1
    end = _closed(tokens, at) if tokens[at] == "{" else tokens.index(";", at) + 1
    return _statement_end(tokens, end + 1) if tokens[end : end + 1] == ["else"] else end


def _closed(tokens: Sequence[str], at: int) -> int:
    """After the bracket that closes the one at a place. Raises Mismatch."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += (tokens[place] in "({") - (tokens[place] in ")}")
        if not depth:
            return place + 1
    raise Mismatch("brackets of new code do not match")


def _tokens(text: bytes) -> Iterator[str]:
    for found in _TOKEN.finditer(text.decode("utf-8", "surrogateescape")):
        line = found["directive"]
        yield found.group() if line is None else _BLANKS.sub(" ", line).strip()


def _items(tokens: Iterator[str]) -> list[_Item]:
    """Tokens up to the end of their block, blocks among them as lists."""
    found: list[_Item] = []
    for token in tokens:
        if token == "}":
            return found
        found.append(_items(tokens) if token == "{" else token)
        if found[-6:-2] == [";", "(", "void", ")"] and token == ";":
            _join_unused(found)
    return found


def _join_unused(found: list[_Item]) -> None:
    """Make one item of a constant that ends here, if that is what does."""
    start = len(found) - 7
    while start >= 0 and found[start] not in ("const", ";") and isinstance(found[start], str):
        start -= 1
    declaration = found[start:-6]
    if start < 0 or found[start] != "const" or declaration.count("=") != 1:
        return
    place = declaration.index("=")
    if found[-2] == declaration[place - 1] and "(" not in declaration[:place]:
        found[start:] = [_Unused(str(found[-2]))]


@dataclass
class _Comparison:
    """Items, the next one last, of which some are left out of others."""

    waiting: list[_Item]
    names: list[frozenset[str]] = field(default_factory=lambda: [frozenset()])
    """Names left out so far: of the block, and of those in it whose braces are left out."""
    closed: list[bool] = field(default_factory=lambda: [False])
    """Whether the same blocks may declare nothing, as something comes after them."""

    def is_same(self, kept: Sequence[_Item]) -> bool:
        place, starts = 0, True
        while self.waiting:
            item = self.waiting.pop()
            now = kept[place] if place < len(kept) else None
            if isinstance(item, _Unused):
                self.names[-1] |= {item.name}
                starts = True
            elif isinstance(item, _End):
                self.names.pop()
                self.closed.pop()
                starts = True
            elif isinstance(item, list) and not (isinstance(now, list) and self._inner(item, now)):
                if not starts:
                    return False  # a head, or a directive for the block
                self._open(item)
            elif isinstance(item, list) or (now == item and self._may_stay(item, starts)):
                place, starts = place + 1, _is_end(item)
            else:
                return False
        return place == len(kept)

    def _inner(self, item: list[_Item], now: Sequence[_Item]) -> bool:
        return _Comparison(item[::-1], [self.names[-1]]).is_same(now)

    def _open(self, block: list[_Item]) -> None:
        """Go on with what is in a block, and then after it."""
        after = takewhile(lambda item: not isinstance(item, _End), reversed(self.waiting))
        self.closed.append(self.closed[-1] or not all(map(_is_left_out, after)))
        self.names.append(self.names[-1])
        self.waiting += [_End(), *reversed(block)]

    def _may_stay(self, item: str, starts: bool) -> bool:
        if starts and self.closed[-1]:
            words = takewhile(lambda word: isinstance(word, str), self.waiting[:-5:-1])
            if _DECLARATION.match(" ".join([item, *map(str, words)])):
                return False
        return item not in self.names[-1]


def _is_left_out(item: _Item) -> bool:
    return isinstance(item, _Unused) or (isinstance(item, list) and all(map(_is_left_out, item)))


def _is_end(item: _Item) -> bool:
    """Whether the next item begins a statement."""
    return not isinstance(item, str) or item in (";", "/") or bool(_ALONE.match(item))
