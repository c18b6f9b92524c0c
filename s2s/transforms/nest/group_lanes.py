"""Vectorized loops whose subscripts divide the variable run over groups of neighbours.

With ``x / 2`` and ``x % 2`` neighbouring lanes read one element or two kinds of elements, which
compilers do not vectorize; with one group of two in each iteration both become constants::

    simd for (x = 0; x < 64; x++) f(x) = g(x / 2)
      ->  simd for (h = 0; h < 32; h++) { f(h*2) = g(h); f(h*2 + 1) = g(h); }
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import lcm

from s2s.scop.expressions import INT32, Binary, Const, Variable
from s2s.scop.expressions import walk as nodes
from s2s.scop.nest import For, Node, expressions, walk
from s2s.scop.normal_form import integer, linear, normalized, with_values
from s2s.scop.rewrite import block, with_children

_MOST = 4
"""The largest group."""


def group_lanes(node: Node) -> Node:
    """The tree with vectorized innermost loops cut into groups where subscripts divide."""
    node = with_children(node, group_lanes)
    if isinstance(node, For) and node.kind == "vectorized":
        return _group(node) or node
    return node


def _group(loop: For) -> Node | None:
    if any(isinstance(below, For) for below in walk(loop.body)):
        return None
    size = lcm(*_divisors(loop))
    low, count = normalized(loop.minimum), normalized(loop.extent)
    if not 1 < size <= _MOST or not (isinstance(low, Const) and isinstance(count, Const)):
        return None
    if int(low.value) % size or int(count.value) % size or count.value == size:
        return None
    group = Binary(INT32, "mul", Variable(INT32, loop.name), integer(size))
    copies = [
        with_values(loop.body, {loop.name: Binary(INT32, "add", group, integer(k))})
        for k in range(size)
    ]
    return replace(
        loop,
        minimum=integer(int(low.value) // size),
        extent=integer(int(count.value) // size),
        body=block(copies),
    )


def _divisors(loop: For) -> Iterator[int]:
    """Constants that index arithmetic divides odd multiples of the variable by."""
    yield 1
    variable = Variable(INT32, loop.name)
    for node in walk(loop.body):
        for expr in expressions(node):
            for part in nodes(expr):
                match part:
                    case Binary(type, "div" | "mod", left, Const(_, int(divisor))):
                        if type == INT32 and divisor > 0:
                            step = linear(left).coefficient(variable)
                            if step % divisor:
                                yield divisor
