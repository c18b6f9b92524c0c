"""Loops whose variables are taken apart: ``k / 4`` and ``k % 4``, as loops over the parts.

``for k < 8: ... a[k / 4] ... b[k]`` is ``for k1 < 2: for k0 < 4: ... a[k1] ... b[4 * k1 + k0]``:
groups of channels, and loops over all pixels that find row and column by division.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from s2s.scop.expressions import Binary, Cast, Const, Expr, Variable, walk
from s2s.scop.nest import For, Node, expressions
from s2s.scop.nest import walk as nodes
from s2s.scop.rewrite import map_children, substitute_in


def in_digits(node: Node) -> Node:
    """The nest with such loops split, where the parts come out even."""
    node = map_children(node, in_digits)
    return _split(node) if isinstance(node, For) else node


def _split(loop: For) -> Node:
    minimum, extent = loop.minimum, loop.extent
    if not isinstance(minimum, Const) or not isinstance(extent, Const) or minimum.value:
        return loop
    count = int(extent.value)
    limits = sorted({n for n in _divisors(loop.body, loop.name) if 1 < n < count})
    ends = [*limits, count]
    if not limits or any(b % a for a, b in pairwise(ends)):
        return loop
    type_, below = minimum.type, 1
    value: Expr | None = None
    digits: list[tuple[str, int]] = []
    for number, end in enumerate(ends):
        name = f"{loop.name}.{number}"
        digits.append((name, end // below))
        part: Expr = Variable(type_, name)
        part = part if below == 1 else Binary(type_, "mul", part, Const(type_, below))
        value = part if value is None else Binary(type_, "add", part, value)
        below = end
    assert value is not None
    found = substitute_in(loop.body, {loop.name: value})
    for name, trips in digits:
        low, count_ = Const(type_, 0), Const(type_, trips)
        found = replace(loop, name=name, minimum=low, extent=count_, body=found)
    return found


def _divisors(body: Node, name: str) -> Iterator[int]:
    """By what a variable is divided, apart from what else is divided with it."""
    for node in nodes(body):
        for whole in expressions(node):
            for expr in walk(whole):
                found = _divided(expr)
                if found is not None and name in found[0].variables:
                    scale = _scale(found[0], name)
                    if scale:
                        yield scale * found[1]


def _divided(expr: Expr) -> tuple[Expr, int] | None:
    """The operands of a division, a remainder, or what a shift or a mask does of these."""
    if not isinstance(expr, Binary) or not isinstance(expr.right, Const):
        return None
    number = int(expr.right.value)
    match expr.op:
        case "div" | "mod" if number > 0:
            return expr.left, number
        case "shr" if 0 <= number < 31:
            return expr.left, 1 << number
        case "band" if number > 0 and (number + 1).bit_count() == 1:
            return expr.left, number + 1
    return None


def _scale(expr: Expr, name: str) -> int:
    """How many steps of a variable are one of an expression; 0 where that is not even."""
    match expr:
        case Variable():
            return int(expr.name == name)
        case Cast(_, value):
            return _scale(value, name)
        case Binary(_, "div" | "shr"):
            found = _divided(expr)
            return found[1] * _scale(found[0], name) if found is not None else 0
        case Binary(_, "mod" | "band", left, _):
            return _scale(left, name)
        case Binary(_, "add" | "sub", left, right):
            inside = [side for side in (left, right) if name in side.variables]
            return _scale(inside[0], name) if len(inside) == 1 else 0
    return 0
