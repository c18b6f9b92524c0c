"""How a file is written: what new code in it follows.

Read off the text: by what blocks are indented, where their braces stand, how long lines are.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from s2s.source.records import dataclass

_LEAST, _MOST = 80, 100
"""Columns that lines may have in any file, and those that no new line needs."""
_ENOUGH = 400_000
"""Bytes after which a file has shown how it is written."""
_TAB = 8

_HEAD = r"[ \t]*(?:\}[ \t]*)?(?:if|for|while|switch|else|do)\b[^\n{}]*"
_ON_LINE = re.compile(rf"^{_HEAD}\{{[ \t]*$", re.MULTILINE)
_BELOW = re.compile(rf"^{_HEAD}(?<!;)\n[ \t]*\{{[ \t]*$", re.MULTILINE)
_SUNK = re.compile(rf"^([ \t]*)(?=\S){_HEAD}(?<!;)\n\1[ \t]+\{{[ \t]*$", re.MULTILINE)
_CUDDLED = re.compile(r"^[ \t]*\}[ \t]*else\b", re.MULTILINE)
_ALONE = re.compile(r"^[ \t]*else\b", re.MULTILINE)
_SPACED = re.compile(r"\b(?:if|for|while) \(")
_CLOSE = re.compile(r"\b(?:if|for|while)\(")
_INSIDE = r"\{[ \t]*\n(?:[ \t]*\n)*([ \t]+)(?=[^\s#}])"
_OPENED = re.compile(rf"^([ \t]*)[^\s#][^\n]*{_INSIDE}", re.MULTILINE)
_OPENED_BELOW = re.compile(rf"^([ \t]*){_INSIDE}", re.MULTILINE)


@dataclass(frozen=True)
class Style:
    """``unit`` is what a block is indented by, ``width`` the columns of the longest line.

    ``below``: braces open on lines of their own (Allman), ``sunk``: further in than heads (GNU).
    ``cuddled``: ``} else {`` is one line.
    ``spaced``: a blank stands between a keyword and its parenthesis.
    """

    unit: str = "    "
    below: bool = False
    cuddled: bool = True
    spaced: bool = True
    width: int = 100
    sunk: bool = False


@lru_cache(maxsize=4)
def style_of(data: bytes) -> Style:
    """The style of a file; that of ``Style`` where it shows none."""
    text = data[:_ENOUGH].decode("utf-8", "replace").replace("\r\n", "\n")
    on_line, below = (len(p.findall(text)) for p in (_ON_LINE, _BELOW))
    cuddled, alone = len(_CUDDLED.findall(text)), len(_ALONE.findall(text))
    spaced, close = len(_SPACED.findall(text)), len(_CLOSE.findall(text))
    longest = max((len(line.expandtabs(_TAB)) for line in text.split("\n")), default=0)
    is_below = below > on_line
    return Style(
        _unit(text),
        is_below,
        not is_below and cuddled >= alone,
        spaced >= close,
        min(max(longest, _LEAST), _MOST),
        is_below and 2 * len(_SUNK.findall(text)) > below,
    )


def _unit(text: str) -> str:
    """What most blocks are indented by."""
    found: Counter[str] = Counter()
    for pattern in (_OPENED, _OPENED_BELOW):
        for outer, inner in pattern.findall(text):
            if inner.startswith(outer) and inner != outer:
                found[inner[len(outer) :]] += 1
    likely = [unit for unit, _ in found.most_common() if unit == "\t" or unit.isspace()]
    for unit in likely:
        if unit == "\t" or (set(unit) == {" "} and len(unit) in (2, 3, 4, 8)):
            return unit
    return "    "


def columns(text: str) -> int:
    """The width of a text, tabs included."""
    return len(text.expandtabs(_TAB))
