"""Smaller programs that fail as well: parts are taken away as long as something stays wrong.

Seeds cannot be shrunk as hypothesis shrinks its choices (a batch shares one compilation, and one
choice less gives another program), but the trees can: greedily, largest parts first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.properties.parallelism import is_race_free
from tests.properties.program import (
    Assign,
    If,
    Loop,
    Node,
    Omp,
    Program,
    children,
    map_nodes,
    walk,
)

Fails = Callable[[Program], str | None]
"""What is wrong with a program, None when nothing is."""


def shrunk(program: Program, fails: Fails, seconds: float) -> tuple[Program, str] | None:
    """The smallest failing program that was found in time; None when none is smaller."""
    end = time.monotonic() + seconds
    best: tuple[Program, str] | None = None
    smaller = True
    while smaller:
        smaller = False
        for candidate in _candidates(program):
            if time.monotonic() > end:
                return best
            why = fails(candidate) if _is_valid(candidate) else None
            if why is not None:
                program, best, smaller = candidate, (candidate, why), True
                break
    return best


def _is_valid(program: Program) -> bool:
    try:
        return is_race_free(program) and any(isinstance(n, Assign) for n in walk(program.body))
    except (AssertionError, ValueError, KeyError):
        return False


def _candidates(program: Program) -> Iterator[Program]:
    for position in range(len(program.runs)):
        if len(program.runs) > 1:
            yield replace(program, runs=(program.runs[position],))
    for node in walk(program.body):
        for new in _instead(node):
            body = _without_empty(map_nodes(program.body, {id(node): new}))
            yield _declared_only(replace(program, body=body))


def _declared_only(program: Program) -> Program:
    """With clauses that list no variable which is gone."""
    names = {name for _, name, _ in program.scalars}
    names |= {n.var for n in walk(program.body) if isinstance(n, Loop) and not n.declared}

    def kept(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        result: list[Node] = []
        for node in nodes:
            if isinstance(node, Loop):
                node = replace(node, body=kept(node.body))
            elif isinstance(node, If):
                node = replace(node, then=kept(node.then), otherwise=kept(node.otherwise))
            elif isinstance(node, Omp):
                private = tuple(n for n in node.private if n in names)
                node = replace(node, body=kept(node.body), private=private)
            result.append(node)
        return tuple(result)

    return replace(program, body=kept(program.body))


def _instead(node: Node) -> Iterator[tuple[Node, ...]]:
    """What may stand in a node's place, smallest first."""
    yield ()
    if isinstance(node, Omp | If):
        yield children(node)
    if isinstance(node, If):
        yield node.then
        yield node.otherwise
    if isinstance(node, Omp):
        yield (replace(node, collapse=1),) if node.collapse > 1 else ()
        yield (replace(node, nowait=False),) if node.nowait else ()
    if isinstance(node, Loop):
        plain = replace(node, type="int", step=1, down=False, style="plain", declared=True)
        yield () if plain == node else (plain,)
    if isinstance(node, Assign):
        yield from _simpler(node)


def _simpler(node: Assign) -> Iterator[tuple[Node, ...]]:
    for position in range(len(node.operands)):
        if len(node.operands) > 1:
            kept = node.operands[:position] + node.operands[position + 1 :]
            yield (replace(node, operands=kept),)
    if node.iterators:
        yield (replace(node, iterators=()),)
    if node.condition is not None:
        yield (replace(node, condition=None),)


def _without_empty(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Nodes without loops, branches and constructs that have nothing left inside."""
    kept: list[Node] = []
    for node in nodes:
        if isinstance(node, If):
            node = replace(
                node, then=_without_empty(node.then), otherwise=_without_empty(node.otherwise)
            )
        elif isinstance(node, Loop | Omp) and node.body:
            node = replace(node, body=_without_empty(node.body))
            if not node.body:
                continue
        if not isinstance(node, If) or node.then or node.otherwise:
            kept.append(node)
    return tuple(kept)
