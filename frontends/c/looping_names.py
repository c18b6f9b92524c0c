"""Which functions have loops, or call such that have: by words and texts, before a parser reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import pairwise

from s2s.frontends.c.sketch import ROOTS, LoopWords, closed, is_name, statement_end

_LOOP_MACRO = re.compile(rb"define[ \t]+(\w+)(?:\\\r?\n|[^\n])*?\bfor\b")
_ENDS = re.compile(rb"([;{}])")
_PARAMETERS = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")
ROOT = re.compile(rb"\b(?:" + "|".join(sorted(ROOTS)).encode() + rb")\b")
# Words from a parameter list to the body, at most: attributes, or declarations as before C90.
_MOST_BETWEEN = 60
_KEPT = frozenset({"goto", "static", "extern", "volatile", "asm", "__asm__"})
_NO_NAMES = frozenset({"if", "for", "while", "switch", "return", "sizeof", "else", "do", "case"})


def loop_words(data: bytes) -> re.Pattern[bytes]:
    """What begins a counted loop in a file."""
    macros = [re.escape(name) for name in _LOOP_MACRO.findall(data)]
    return re.compile(rb"\b(?:" + b"|".join([b"for", *macros]) + rb")\b")


@lru_cache(maxsize=512)  # the files of a build include the same headers
def names_defined_in(data: bytes) -> frozenset[str]:
    """Names that a text seems to define as functions."""
    parts = _ENDS.split(data)
    heads = (
        _PARAMETERS.search(part)
        for part, end in zip(parts[::2], parts[1::2], strict=False)
        if end == b"{" and part.rstrip().endswith(b")")
    )
    return frozenset(found[1].decode() for found in heads if found)


def calls_looping(
    every: Sequence[LoopWords], words: Sequence[str], headers: Sequence[bytes], main: bytes
) -> bool:
    """Whether one of these loops calls a function with loops of the file or of its ``headers``.

    ``words`` are those of the file ``main``, with macros expanded. Functions whose bodies cannot
    take the place of a call do not count.
    """
    called = {name for loop in every for name in _calls(loop.body)}
    bodies = {name: body for name, body in _bodies(words) if called and _may_replace_call(body)}
    loop = loop_words(main)
    every_call = {name: frozenset(_calls(body)) for name, body in bodies.items()}
    callers = {name: n for name, n in every_call.items() if not _reaches(name, every_call)}
    looping = {n for data in headers if loop.search(data) for n in names_defined_in(data)}
    looping |= {name for name in callers if "for" in bodies[name]}
    return not called.isdisjoint(with_callers(looping, callers))


def calls_rooted(every: Sequence[LoopWords], main: bytes) -> bool:
    """Whether one of these loops calls a function of the file ``main``, which has square roots."""
    if not ROOT.search(main):
        return False
    called = {name for loop in every for name in _calls(loop.body)}
    return not called.isdisjoint(names_defined_in(main))


def _may_replace_call(body: Sequence[str]) -> bool:
    """Whether a function's body may be written out where it is called: it returns at its end."""
    if not _KEPT.isdisjoint(body) or body.count("return") > 1:
        return False
    if "return" not in body:
        return True
    end = statement_end(body, list(body).index("return"))
    return list(body[end:]) == ["}"]


def _reaches(name: str, calls: Mapping[str, Set[str]]) -> bool:
    """Whether a function may call itself, by what each function calls."""
    found: set[str] = set()
    waiting = set(calls[name])
    while waiting:
        found |= waiting
        waiting = {n for known in waiting for n in calls.get(known, ())} - found
    return name in found


def with_callers(names: Set[str], calls: Mapping[str, Set[str]]) -> set[str]:
    """These functions, and all that call one of them, by what each function calls."""
    found = set(names)
    while more := {n for n, called in calls.items() if not found.isdisjoint(called)} - found:
        found |= more
    return found


def _bodies(words: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Functions that are defined: their names with the words of their bodies."""
    for at, word in enumerate(words):
        if is_name(word) and words[at + 1 : at + 2] == ["("] and word not in _NO_NAMES:
            start = closed(words, at + 1)
            between = words[start : start + _MOST_BETWEEN]
            if between and is_name(between[0]) and "{" in between:
                start += between.index("{")
            if words[start : start + 1] == ["{"]:
                yield word, words[start : closed(words, start)]


def _calls(words: Sequence[str]) -> Iterator[str]:
    for word, following in pairwise(words):
        if following == "(" and is_name(word) and word not in _NO_NAMES:
            yield word
