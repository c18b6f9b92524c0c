"""What new code names for the net alone: it may leave the text, and nothing else may."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from s2s.net import Mismatch

_TOKEN = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\w+|\S")


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
    it, and braces.
    """
    tokens = list(_tokens(short))
    left, kept = _items(_tokens(whole)), _items(iter(tokens))
    if tokens.count("{") != tokens.count("}") or not _is_same(left, kept, frozenset()):
        raise Mismatch("new code is not what was read without what it does not name")


def _tokens(text: bytes) -> Iterator[str]:
    return iter(_TOKEN.findall(text.decode("utf-8", "surrogateescape")))


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


def _is_same(left: Sequence[_Item], kept: Sequence[_Item], gone: frozenset[str]) -> bool:
    """Whether items are others without what may be left out; ``gone`` was left out around them."""
    names, waiting, place = [gone], list(reversed(left)), 0
    while waiting:
        item = waiting.pop()
        if isinstance(item, _Unused):
            names[-1] |= {item.name}
        elif isinstance(item, _End):
            names.pop()
        elif isinstance(item, list):
            now = kept[place] if place < len(kept) else None
            if isinstance(now, list) and _is_same(item, now, names[-1]):
                place += 1
            else:
                names.append(names[-1])
                waiting += [_End(), *reversed(item)]
        elif place < len(kept) and kept[place] == item and item not in names[-1]:
            place += 1
        else:
            return False
    return place == len(kept)
