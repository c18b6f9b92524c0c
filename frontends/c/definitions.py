"""Which functions of a file a pass could act on, told by their text.

Making syntax of a function, and loading what lifts it, costs far more than a look at its text, and
in most files of a build there is nothing to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.macro_words import Macro, TooManyWordsError, expand, words_of
from s2s.frontends.c.parse import Unit
from s2s.frontends.c.sketch import LoopWords, is_nest, loops, without_single_trips

_LOOP_MACRO = re.compile(rb"define[ \t]+(\w+)(?:\\\r?\n|[^\n])*?\bfor\b")
_DEFINITION = re.compile(rb"\b([A-Za-z_]\w*)\s*\([^;{}]*\)\s*\{")
_DIRECTIVE = re.compile(rb"(?:#|%:)[ \t]*pragma[ \t]+(?:omp|vectorize)\b")
_CALL = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")


def definitions(
    unit: Unit, wanted: Callable[[LoopWords], bool] = is_nest, *, every: bool = False
) -> Iterator[Any]:
    """The cursors of functions that a pass could act on, in order; with ``every``, all with loops.

    Their text, with macros expanded, has a loop that is ``wanted``, or a loop that calls a function
    with loops, or there is an OpenMP directive. A file without any loop only matters with
    ``every``.
    """
    data = unit.buffer.data
    loop = _loop_words(data)
    if not re.search(rb"\bwhile\b|" + loop.pattern, data) and not (
        every and _DIRECTIVE.search(data)
    ):
        return
    looping = unit.names_with_loops
    for cursor in unit.functions():
        start, end, _ = clang.extent(cursor)
        text = data[start:end]
        if (
            (every and loop.search(text))
            or _DIRECTIVE.search(text)
            or _shows(text, unit.macros, wanted, looping - {clang.spelling(cursor)})
        ):
            yield cursor


def _shows(
    text: bytes, macros: Mapping[str, Macro], wanted: Callable[[LoopWords], bool],
    looping: Set[str],
) -> bool:  # fmt: skip
    """Whether a function has a loop that is wanted, or one that calls one of those ``looping``."""
    try:
        words = expand(words_of(text.decode("latin-1")), macros)
    except TooManyWordsError:
        return True
    return any(
        wanted(loop) or (loop.keyword == "for" and not looping.isdisjoint(loop.body))
        for loop in loops(without_single_trips(words))
    )


def _loop_words(data: bytes) -> re.Pattern[bytes]:
    """What begins a counted loop in a file."""
    macros = [re.escape(name) for name in _LOOP_MACRO.findall(data)]
    return re.compile(rb"\b(?:" + b"|".join([b"for", *macros]) + rb")\b")


def find_names_with_loops(unit: Unit) -> frozenset[str]:
    """Names of functions with loops, as the text of the file and its own headers shows them."""
    loop = _loop_words(unit.buffer.data)
    found: set[str] = set()
    callers: list[tuple[str, bytes]] = []
    for cursor in unit.functions():
        start, end, _ = clang.extent(cursor)
        text = unit.buffer.data[start:end]
        if loop.search(text):
            found.add(clang.spelling(cursor))
        else:
            callers.append((clang.spelling(cursor), text))
    others = () if unit.program is None else (f.buffer.data for f in unit.program.others)
    for data in (*unit.own_texts[1:], *others):
        if loop.search(data):
            found |= {name.decode() for name in _DEFINITION.findall(data)}
    while more := {name for name, text in callers if _calls_one_of(text, found)} - found:
        found |= more
    return frozenset(found)


def _calls_one_of(text: bytes, names: Set[str]) -> bool:
    return any(name.decode() in names for name in _CALL.findall(text, text.find(b"{")))
