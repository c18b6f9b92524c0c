"""Innermost loops that are clean in the middle of a picture, chosen by the loops around them.

Where a tile's boundary depends on where the tile is, no piece of the innermost loop is free of it.
The loop stands twice then, and a comparison of the outer variables tells which one runs::

    for (x < 8) f(max(X*8 + x - 1, 0))  ->  if (X >= 1) for (x) f(X*8 + x - 1); else for (x) ...
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.scop.build import FALSE, TRUE, both
from s2s.scop.expressions import BOOL, Binary, Expr
from s2s.scop.expressions import walk as nodes
from s2s.scop.linear import expression
from s2s.scop.nest import For, If, Node, Store, expressions, walk
from s2s.scop.normal_form import integer, normalized
from s2s.scop.rewrite import transform, with_expressions
from s2s.source.records import dataclass
from s2s.transforms.nest.ranges import Ranges, bounds, chosen, decide_choices, difference

_ROUNDS = 4
"""Choices stand in one another; each round makes the innermost ones."""

_STORES = 12


@dataclass(frozen=True)
class _Guess:
    """A choice, the side that is taken nearly always, and where that is sure."""

    choice: Expr
    side: Expr
    condition: Expr


def clear_of_choices(loop: For, outer: Ranges, inner: Ranges) -> Node:
    """The loop, or a copy without choices that ``outer`` variables make, and when that runs.

    ``inner`` are the ranges of the loop's own variables.
    """
    if sum(isinstance(n, Store) for n in walk(loop.body)) > _STORES:
        return loop
    condition: Expr = TRUE
    clean = loop
    for _ in range(_ROUNDS):
        guesses = list(_guesses(clean, outer, inner))
        if not guesses:
            break
        for guess in guesses:
            condition = _and(condition, guess.condition)
        sides = {id(guess.choice): guess.side for guess in guesses}
        clean = _without(clean, sides, {**outer, **inner})
    if condition is TRUE or condition is FALSE:
        return loop
    return If(condition, clean, loop)


def _and(all_: Expr, more: Expr) -> Expr:
    known = {id(part) for part in nodes(all_)}
    return all_ if id(more) in known else both(all_, more)


def _without(loop: For, sides: dict[int, Expr], ranges: Ranges) -> For:
    def change(expr: Expr) -> Expr:
        made = transform(normalized(expr), lambda node: sides.get(id(node), node))
        return decide_choices(made, ranges)

    return replace(loop, body=with_expressions(loop.body, change))


def _guesses(loop: For, outer: Ranges, inner: Ranges) -> Iterator[_Guess]:
    seen: set[int] = set()
    for below in walk(loop.body):
        for expr in expressions(below):
            for node in nodes(normalized(expr)):
                if id(node) not in seen:
                    seen.add(id(node))
                    guess = _guess(node, outer, inner)
                    if guess is not None:
                        yield guess


def _guess(node: Expr, outer: Ranges, inner: Ranges) -> _Guess | None:
    form = difference(node)
    if form is None:
        return None
    own = form.part(lambda atom: not atom.variables.isdisjoint(inner))
    around = form.part(lambda atom: atom.variables.isdisjoint(inner))
    near, far = bounds(own, inner), bounds(around, outer)
    if not own.terms or not around.terms or near is None or far is None:
        return None
    assert isinstance(node, Binary)
    # The left side is less where around <= most, the right side where around >= least.
    most = (-1 if node.op in ("lt", "ge") else 0) - form.constant - near[1]
    least = (1 if node.op in ("le", "gt") else 0) - form.constant - near[0]
    if far[1] - most <= most - far[0]:
        below = Binary(BOOL, "le", expression(around), integer(most))
        return _Guess(node, chosen(node, -1, -1), below)
    if least - far[0] <= far[1] - least:
        above = Binary(BOOL, "le", integer(least), expression(around))
        return _Guess(node, chosen(node, 1, 1), above)
    return None
