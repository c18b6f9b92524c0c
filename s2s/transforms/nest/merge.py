"""A loop over vectors and the loop over its lanes become one loop that counts the elements.

Compilers choose the vector's length by the types in the body; a loop of exactly 16 lanes around
bytes and shorts leaves them half of each register::

    for (x = 0; x < 32; x++) simd for (v = 0; v < 16; v++) f(x*16 + v)  ->  simd for (x < 512) f(x)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from s2s.scop.expressions import INT32, Binary, Const, Expr, Load, Variable
from s2s.scop.expressions import walk as nodes
from s2s.scop.nest import Allocate, For, Node, Store, Tensor, expressions, walk
from s2s.scop.normal_form import integer, linear, normalized, with_values
from s2s.scop.rewrite import with_children

Folded = frozenset[tuple[str, int]]
"""Tensors with those of their dimensions in which different subscripts may name one element."""


def folded_dimensions(tensor: Tensor) -> Folded:
    """The dimensions of a tensor that storage folding makes smaller."""
    folds = (d.fold for d in tensor.dimensions)
    return frozenset((tensor.name, k) for k, fold in enumerate(folds) if fold is not None)


def merge_lanes(node: Node, folded: Folded = frozenset()) -> Node:
    """The tree with loops over vectors joined with their lanes where that is the same."""
    if isinstance(node, Allocate):
        folded |= folded_dimensions(node.tensor)
    node = with_children(node, lambda child: merge_lanes(child, folded))
    if isinstance(node, For) and node.kind == "serial" and isinstance(node.body, For):
        return _merge(node, node.body, folded) or node
    return node


def _merge(vectors: For, lanes: For, folded: Folded) -> Node | None:
    if lanes.kind != "vectorized" or not isinstance(lanes.extent, Const):
        return None
    if vectors.name in lanes.minimum.variables:
        return None
    if any(isinstance(below, For) for below in walk(lanes.body)):
        return None
    count = int(lanes.extent.value)
    whole = Variable(INT32, vectors.name)
    outer = Variable(INT32, f"{vectors.name}.vector")
    start = Binary(INT32, "mul", outer, integer(count))
    lane = Binary(INT32, "add", Binary(INT32, "sub", whole, start), lanes.minimum)
    body = with_values(with_values(lanes.body, {vectors.name: outer}), {lanes.name: lane})
    if any(outer.name in e.variables for below in walk(body) for e in expressions(below)):
        return None
    if not independent(body, whole, folded):
        return None
    return replace(
        lanes,
        name=vectors.name,
        var=vectors.var,
        minimum=normalized(Binary(INT32, "mul", vectors.minimum, integer(count))),
        extent=normalized(Binary(INT32, "mul", vectors.extent, integer(count))),
        body=body,
    )


def independent(body: Node, variable: Variable, folded: Folded) -> bool:
    """Whether iterations that differ in the variable touch no element that another one writes."""
    own = {n.tensor.name for n in walk(body) if isinstance(n, Allocate)}
    written: dict[str, tuple[Expr, ...]] = {}
    for node in walk(body):
        if not isinstance(node, Store) or node.tensor in own:
            continue
        if written.setdefault(node.tensor, node.subscripts) != node.subscripts:
            return False
    if not all(_moves(name, w, variable, folded) for name, w in written.items()):
        return False
    return all(load.subscripts == written.get(load.tensor, load.subscripts) for load in loads(body))


def _moves(tensor: str, subscripts: tuple[Expr, ...], variable: Variable, folded: Folded) -> bool:
    """Whether other values of the variable give other elements."""
    return any(
        linear(subscript).coefficient(variable) and (tensor, d) not in folded
        for d, subscript in enumerate(subscripts)
    )


def loads(node: Node) -> Iterator[Load]:
    """Every read below a node."""
    for below in walk(node):
        for expr in expressions(below):
            if expr.reads:
                yield from _loads(expr)


@lru_cache(maxsize=1 << 14)
def _loads(expr: Expr) -> tuple[Load, ...]:
    return tuple(part for part in nodes(expr) if isinstance(part, Load))
