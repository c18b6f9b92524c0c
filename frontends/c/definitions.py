"""Which functions of a file a pass could act on, told by their text.

Making syntax of a function, and loading what lifts it, costs far more than a look at its text, and
in most files of a build there is nothing to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.looping_names import ROOT, loop_words, names_defined_in, with_callers
from s2s.frontends.c.macro_words import FewMacros, TooManyWordsError, loops_with, words_of
from s2s.frontends.c.sketch import ROOTS, LoopWords, is_nest, may_inline
from s2s.frontends.c.unit import Unit

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
    loop = loop_words(data)
    if not re.search(rb"\bwhile\b|" + loop.pattern, data) and not (
        every and _DIRECTIVE.search(data)
    ):
        return
    looping = unit.names_with_loops | unit.functions_with_roots.keys()
    macros = FewMacros(unit.own_texts, unit.flags)
    for cursor in unit.functions():
        start, end, _ = clang.extent(cursor)
        text = data[start:end]
        if (
            (every and (loop.search(text) or b"while" in text))
            or _DIRECTIVE.search(text)
            or _shows(text, macros, wanted, looping - {clang.spelling(cursor)})
        ):
            yield cursor


def _shows(
    text: bytes, macros: FewMacros, wanted: Callable[[LoopWords], bool], looping: Set[str]
) -> bool:
    """Whether a function has a loop that is wanted, or one that calls one of those ``looping``."""
    words = words_of(text.decode("latin-1"))
    try:
        return any(
            wanted(loop) or (may_inline(loop) and not looping.isdisjoint(loop.body))
            for loop in loops_with(words, macros.needed(words))
        )
    except TooManyWordsError:
        return True


def find_functions_with_roots(unit: Unit) -> dict[str, frozenset[str]]:
    """Which of the library's roots functions of the file take, by their text.

    Of a file that defines a function of such a name, none.
    """
    data = unit.buffer.data
    if not ROOT.search(data):
        return {}
    texts = {
        clang.spelling(cursor): data[slice(*clang.extent(cursor)[:2])]
        for cursor in unit.functions()
    }
    if not ROOTS.isdisjoint(texts):
        return {}
    named = {name: frozenset(r.decode() for r in ROOT.findall(t)) for name, t in texts.items()}
    return {name: roots for name, roots in named.items() if roots}


def find_names_with_loops(unit: Unit) -> frozenset[str]:
    """Names of functions with loops, as the text of the file and its own headers shows them."""
    loop = loop_words(unit.buffer.data)
    found: set[str] = set()
    calls: dict[str, set[str]] = {}
    for cursor in unit.functions():
        start, end, _ = clang.extent(cursor)
        text = unit.buffer.data[start:end]
        if loop.search(text):
            found.add(clang.spelling(cursor))
        else:
            called = {name.decode() for name in _CALL.findall(text, text.find(b"{"))}
            calls.setdefault(clang.spelling(cursor), set()).update(called)
    others = () if unit.program is None else (f.buffer.data for f in unit.program.others)
    for data in (*unit.own_texts[1:], *others):
        if loop.search(data):
            found |= names_defined_in(data)
    return frozenset(with_callers(found, calls))
