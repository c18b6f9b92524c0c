"""Names of a function's loops that stay the same where lines are added above them.

A loop is named by its function, the loops around it and its variable: ``heat/t/i``. The second
loop over ``i`` in the same place is ``heat/t/i#2``. Loops without a variable are called by their
keyword.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from s2s.frontends.c.counted_loops import initialization
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Node

_KEYWORDS = {"FOR_STMT": "for", "WHILE_STMT": "while", "DO_STMT": "do", "CXX_FOR_RANGE_STMT": "for"}


def loop_names(function: Function) -> dict[int, str]:
    """The names of all loops by the offsets at which they begin."""
    return dict(_below(function.body, function.node.name, {}))


def _below(node: Node, around: str, taken: dict[str, int]) -> Iterator[tuple[int, str]]:
    for child in node.children:
        if child.kind not in _KEYWORDS:
            yield from _below(child, around, taken)
            continue
        name = f"{around}/{_word(child)}"
        taken[name] = taken.get(name, 0) + 1
        if taken[name] > 1:
            name = f"{name}#{taken[name]}"
        yield child.span.start, name
        yield from _below(child, name, taken)


def _word(loop: Node) -> str:
    """The variable that a loop sets first, or its keyword."""
    if loop.kind == "FOR_STMT" and len(loop.children) == 4:
        with suppress(NotAffine):
            return initialization(loop.children[0])[0].name
    return _KEYWORDS[loop.kind]
