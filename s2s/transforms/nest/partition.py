"""Innermost loops are cut where a boundary's minimum, maximum or condition changes sides.

The middle, where nothing is left to decide, is what compilers vectorize::

    for (x = 0; x < 33; x++) f(min(x*16, 498))  ->  for (x = 0; x < 32; x++) f(x*16);  f(498)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from s2s.scop.expressions import INT32, Binary, Const, Variable
from s2s.scop.expressions import walk as nodes
from s2s.scop.linear import Sum
from s2s.scop.nest import For, Node, expressions, walk
from s2s.scop.normal_form import integer
from s2s.scop.rewrite import block, with_children, with_expressions
from s2s.transforms.nest.guards import clear_of_choices
from s2s.transforms.nest.ranges import Ranges, bounds, decide_choices, difference
from s2s.transforms.nest.unroll import unroll_loops

_PIECES = 3


def partition_loops(node: Node, ranges: Ranges | None = None, again: int = 1) -> Node:
    """The tree with its innermost loops cut, and without choices that ranges of loops decide.

    The longest piece of a loop may be cut ``again``: a choice may hide behind another one.
    """
    ranges = dict(ranges or {})
    if not isinstance(node, For):
        return with_children(node, lambda child: partition_loops(child, ranges))
    whole = constant_range(node)
    if whole is None:
        return replace(node, body=partition_loops(node.body, ranges))
    if node.kind in ("serial", "parallel") and _innermost(node):
        starts = _starts(node, whole, ranges)
        if len(starts) > 1:
            return block(list(_pieces(node, starts, ranges, again)))
    body = partition_loops(node.body, {**ranges, node.name: whole})
    node = replace(node, body=body)
    made = _decide(node, {**ranges, node.name: whole})
    return _guarded(made, ranges) if _innermost(node) else made


def _guarded(piece: Node, ranges: Ranges) -> Node:
    """A piece of an innermost loop without what the loops around it decide nearly always."""
    if not isinstance(piece, For) or piece.kind == "parallel":
        return piece
    whole = constant_range(piece)
    inside = {} if whole is None else {piece.name: whole, **dict(_inner_ranges(piece))}
    return clear_of_choices(piece, ranges, inside) if inside else piece


def _pieces(loop: For, starts: list[tuple[int, int]], ranges: Ranges, again: int) -> Iterator[Node]:
    longest = max(starts, key=lambda piece: piece[1] - piece[0])
    for low, high in starts:
        piece = _piece(loop, low, high, ranges)
        if again and (low, high) == longest:
            yield partition_loops(piece, ranges, again - 1)
        else:
            yield _guarded(piece, ranges)


def constant_range(loop: For) -> tuple[int, int] | None:
    """The first and last value of a loop's variable, where both are constants."""
    if isinstance(loop.minimum, Const) and isinstance(loop.extent, Const) and loop.extent.value > 0:
        low = int(loop.minimum.value)
        return low, low + int(loop.extent.value) - 1
    return None


def _decide(node: For, ranges: Ranges) -> Node:
    if any(isinstance(below, For) and below.kind != "vectorized" for below in walk(node.body)):
        return node
    inner = {**ranges, **dict(_inner_ranges(node))}
    return replace(node, body=with_expressions(node.body, lambda e: decide_choices(e, inner)))


def _innermost(loop: For) -> bool:
    below = [n for n in walk(loop.body) if isinstance(n, For)]
    return bool(below) and all(n.kind == "vectorized" for n in below)


def _inner_ranges(loop: For) -> Iterator[tuple[str, tuple[int, int]]]:
    for node in walk(loop.body):
        if isinstance(node, For):
            found = constant_range(node)
            if found is not None:
                yield node.name, found


def _starts(loop: For, whole: tuple[int, int], ranges: Ranges) -> list[tuple[int, int]]:
    """The pieces (first, last) that the loop is cut into; one where nothing changes sides."""
    low, high = whole
    known = {**ranges, **dict(_inner_ranges(loop))}
    cuts = {low, high + 1}
    for node in walk(loop.body):
        for expr in expressions(node):
            for part in nodes(expr):
                form = difference(part)
                if form is not None and isinstance(part, Binary):
                    found = _cuts(part.op, form, loop.name, known)
                    cuts.update(c for c in found if low < c <= high)
    edges = sorted(cuts)
    pieces = [(a, b - 1) for a, b in pairwise(edges)]
    return pieces if len(pieces) <= _PIECES else _longest(pieces)


def _longest(pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest piece, and what is before and after it as a piece each."""
    best = max(pieces, key=lambda p: p[1] - p[0])
    around = [(pieces[0][0], best[0] - 1), best, (best[1] + 1, pieces[-1][1])]
    return [p for p in around if p[0] <= p[1]]


def _cuts(op: str, form: Sum, name: str, ranges: Ranges) -> Iterator[int]:
    """The values of the variable from which on a choice is made, or is open again."""
    variable = Variable(INT32, name)
    step = form.coefficient(variable)
    found = bounds(form.without(variable), ranges)
    if step and found is not None:
        first = _edge(step, found[1] + (op in ("lt", "ge")))
        second = _edge(-step, -found[0] + (op in ("le", "gt")))
        yield first
        yield max(first, second) if step > 0 else min(first, second)


def _edge(step: int, offset: int) -> int:
    """The value of i at which ``step*i + offset <= 0`` begins or ceases to hold."""
    return -offset // step + 1 if step > 0 else -(-offset // -step)


def _piece(loop: For, low: int, high: int, ranges: Ranges) -> Node:
    known = {**ranges, **dict(_inner_ranges(loop)), loop.name: (low, high)}
    body = with_expressions(loop.body, lambda e: decide_choices(e, known))
    return unroll_loops(
        replace(loop, minimum=integer(low), extent=integer(high - low + 1), body=body)
    )
