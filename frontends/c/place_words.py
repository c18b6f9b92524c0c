"""A look at the words of an innermost loop: are there more elements than compilers compare.

Where two pointers may lead to the same memory, gcc compares the ends of what a loop touches through
them as it runs, of so many pairs at most (``analyses/run_time_checks.py``). What is counted here is
never less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.frontends.c.sketch import CHOICES, LOOPS, LoopWords, assignment, calls, closed, statements

# Pairs of places that gcc compares at most.
LIMIT = 10


def may_touch_many(loop: LoopWords) -> bool:
    """Whether the words of an innermost loop name so many elements."""
    if loop.keyword != "for" or not (LOOPS | CHOICES).isdisjoint(loop.body) or calls(loop.body):
        return False
    named = set(_elements(loop.body))
    if len(named) * (len(named) - 1) // 2 <= LIMIT:
        return False
    places = ((s, assignment(s)) for s in statements(loop.body))
    written = {e for s, at in places if at is not None for e in _elements(s[:at])}
    return _pairs(len(named), len(written)) > LIMIT


def _pairs(named: int, written: int) -> int:
    """The pairs of places of which one is written."""
    return named * (named - 1) // 2 - (named - written) * (named - written - 1) // 2


def _elements(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The texts of elements: a name with the subscripts after it."""
    at = 1
    while at < len(words):
        end = at
        while end < len(words) and words[end] == "[":
            end = closed(words, end)
        if end > at:
            yield tuple(words[at - 1 : end])
            yield from _elements(words[at + 1 : end - 1])
        at = max(end, at + 1)
