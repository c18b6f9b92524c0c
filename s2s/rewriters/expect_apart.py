"""Guards in loops say that what they ask of addresses is likely.

::

    for (k) {                                       for (k) {
        if (n >= 8 && (a + n <= b || b + n <= a))       if (n >= 8 && __builtin_expect(
            new code                           ->               (a + n <= b || b + n <= a), 1))
        else                                                new code
            the source's                                else
    }                                                       the source's
                                                    }

A compiler that takes both branches for equally likely keeps in registers, through all iterations,
what either of them needs, and in memory what then finds no register: constants of the new code.
Conditions on sizes stay as they are: what sizes a program has, nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from s2s.frontends.c.regions import Function
from s2s.source import Edit

_GUARD = re.compile(r"/\* s2s: [^*]*\*/(?:(?!/\*)[^{}])*?\bif \(")
_TOKEN = re.compile(r"/\*.*?\*/|'(?:\\.|[^'\\])*'|&&|.", re.DOTALL)
_BETWEEN = re.compile(r"(?:/\*(?:(?!\*/).)*\*/|\s)*", re.DOTALL)
_ROOM = 50
_OVERLAP = "((const char *)"


def expect_apart(function: Function, edits: Sequence[Edit]) -> list[Edit]:
    """The edits with guards that expect of arrays not to overlap, inside of loops."""
    loops = [node.span for node in function.node.walk() if node.is_loop]
    return [
        replace(e, text=_expecting(e.text))
        if any(loop.start < e.start < loop.end for loop in loops)
        else e
        for e in edits
    ]


def _expecting(data: bytes) -> bytes:
    text = data.decode("utf-8", "surrogateescape")
    for guard in reversed(list(_GUARD.finditer(text))):
        starts, end = _parts(text, guard.end())
        apart = len(starts)
        while apart and text.startswith(_OVERLAP, starts[apart - 1]):
            apart -= 1
        if apart < len(starts):
            first = starts[apart]
            line = text[text.rfind("\n", 0, first) + 1 : first]
            is_long = "\n" in text[guard.end() : end] or len(line) + end - first > _ROOM
            pad = "\n" + re.sub(r"[^\t]", " ", line) if is_long else ""
            text = f"{text[:first]}__builtin_expect({pad}{text[first:end]}, 1){text[end:]}"
    return text.encode("utf-8", "surrogateescape")


def _parts(text: str, start: int) -> tuple[list[int], int]:
    """Where the parts of a condition begin, after comments before them, and where it ends."""
    starts, depth, place = [start], 0, start
    while depth >= 0:
        token = _TOKEN.match(text, place)
        assert token is not None, "a guard without an end"
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        place = token.end()
        if token[0] == "&&" and not depth:
            starts.append(place)
    return [_BETWEEN.match(text, s).end() for s in starts], place - 1  # type: ignore[union-attr]
