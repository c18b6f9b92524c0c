"""Vectorized loops go inward until their bodies are straight-line code on scalars.

A body without loops stays whole: memory that each lane has for itself is a few scalars then. Where
a body has loops of its own, the lanes become the innermost loops, and what a lane had for itself
gets an element for each lane, as Halide widens it::

    simd for (v) { c[1]; c[0] = 0; for (r) c[0] += f(v, r); out(v) = c[0]; }
      ->  c[16]; simd for (v) c[v] = 0; for (r) simd for (v) c[v] += f(v, r); simd for (v) ...
"""

from __future__ import annotations

from dataclasses import replace

from s2s.scop.errors import Inexpressible
from s2s.scop.expressions import INT32, Binary, Const, Expr, Variable
from s2s.scop.nest import (
    Allocate,
    Block,
    Define,
    Dimension,
    For,
    If,
    Node,
    Produce,
    Run,
    Store,
    walk,
)
from s2s.scop.normal_form import integer, normalized, with_values
from s2s.scop.rewrite import block, with_children, with_places
from s2s.transforms.nest.merge import loads


def lower_lanes(node: Node) -> Node:
    """The tree in which every vectorized loop has a body without loops and without arrays."""
    if isinstance(node, For) and node.kind == "vectorized":
        if _simple(node.body):
            return node
        if not isinstance(node.extent, Const):
            if _simple(node.body):  # vectors joined with their lanes (``merge``)
                return node
            raise Inexpressible(f"the vectorized loop {node.name} has no constant extent", node)
        return _spread(from_zero(node))
    return with_children(node, lower_lanes)


def from_zero(loop: For) -> For:
    """The loop with a variable that counts from 0."""
    if isinstance(loop.minimum, Const) and loop.minimum.value == 0:
        return loop
    shifted = Binary(INT32, "add", Variable(INT32, loop.name), loop.minimum)
    body = with_values(loop.body, {loop.name: shifted})
    return replace(loop, minimum=integer(0), body=body)


def _spread(loop: For, body: Node | None = None) -> Node:
    """The lanes of ``loop`` around ``body`` (the loop's own if None), as far inside as needed."""
    body = loop.body if body is None else body
    if _simple(body):
        return replace(loop, body=body)
    match body:
        case Block(children):
            return _spread_block(loop, children)
        case For() if body.kind == "vectorized":
            return _spread_vector(loop, body)
        case For() if loop.name not in _bounds(body):
            return replace(body, body=_spread(loop, body.body))
        case Produce():
            return replace(body, body=_spread(loop, body.body))
        case If() if loop.name not in body.condition.variables:
            otherwise = None if body.otherwise is None else _spread(loop, body.otherwise)
            return replace(body, then=_spread(loop, body.then), otherwise=otherwise)
        case Define(name, value, below) if loop.name not in value.variables:
            return Define(name, value, _spread(loop, below))
        case Define(name, value, below):
            return _spread(loop, with_values(below, {name: value}))
        case Allocate() if not _sizes_vary(loop, body):
            return _widened(loop, body)
    return replace(loop, kind="serial", body=lower_lanes(body))


def _bounds(loop: For) -> frozenset[str]:
    return loop.minimum.variables | loop.extent.variables


def _sizes_vary(loop: For, node: Allocate) -> bool:
    sizes = (e for d in node.tensor.dimensions for e in (d.extent, d.stride, d.fold))
    return any(loop.name in e.variables for e in sizes if e is not None)


def _spread_block(loop: For, children: tuple[Node, ...]) -> Node:
    """Neighbours without loops share one loop over the lanes."""
    parts: list[Node] = []
    run: list[Node] = []
    for child in children:
        if _simple(child):
            run.append(child)
            continue
        if run:
            parts.append(replace(loop, body=block(run)))
            run = []
        parts.append(_spread(loop, child))
    if run:
        parts.append(replace(loop, body=block(run)))
    return block(parts)


def _spread_vector(outer: For, inner: For) -> Node:
    """Vectors of vectors: the inner lanes stay innermost."""
    spread = _spread(from_zero(inner)) if outer.name not in _bounds(inner) else None
    if spread is None:
        return replace(outer, kind="serial", body=lower_lanes(inner))
    return replace(outer, kind="serial", body=spread)


def _simple(body: Node) -> bool:
    """Whether a body is straight-line code whose own memory can be scalars."""
    for node in walk(body):
        if isinstance(node, For):
            return False
        if isinstance(node, Allocate) and not only_constants(node):
            return False
    return True


def unconditional(body: Node) -> bool:
    """Whether every lane makes all stores of a body, and has memory of its own in scalars."""
    return all(map(_is_plain, walk(body)))


def _is_plain(node: Node) -> bool:
    match node:
        case Block() | Produce():
            return True
        case Store():
            return node.predicate is None and not node.atomic
        case Allocate():
            return only_constants(node)
    return False


SCALARS = 64


def only_constants(node: Allocate) -> bool:
    """Whether all elements of this memory are named by constants, and are few."""
    count = 1
    for dimension in node.tensor.dimensions:
        if not isinstance(dimension.extent, Const) or dimension.fold is not None:
            return False
        count *= int(dimension.extent.value)
    name = node.tensor.name
    if any(isinstance(n, Run) and name in n.tensors for n in walk(node.body)):
        return False
    stores = (n.subscripts for n in walk(node.body) if isinstance(n, Store) and n.tensor == name)
    reads = (load.subscripts for load in loads(node.body) if load.tensor == name)
    used = [*stores, *reads]
    return count <= SCALARS and all(
        isinstance(normalized(Binary(INT32, "sub", s, d.minimum)), Const)
        for subscripts in used
        for s, d in zip(subscripts, node.tensor.dimensions, strict=True)
    )


def _widened(loop: For, node: Allocate) -> Node:
    """The memory with a dimension more, innermost, for the lanes."""
    node = _from_no_lane(loop.name, node)
    tensor = node.tensor
    rank = len(tensor.dimensions)
    order = tensor.order or tuple(range(rank))
    wide = replace(
        tensor,
        dimensions=(*tensor.dimensions, Dimension(integer(0), loop.extent)),
        order=(rank, *order),
    )
    lane = Variable(INT32, loop.name)
    body = _with_lane(node.body, tensor.name, lane)
    return Allocate(wide, _spread(loop, body))


def _with_lane(body: Node, name: str, lane: Expr) -> Node:
    return with_places(body, name, lambda subscripts: (*subscripts, lane))


def _from_no_lane(lane: str, node: Allocate) -> Allocate:
    """The memory where no dimension begins at a place that depends on the lane.

    What is around the loop over the lanes is outside of what that variable means, and it may get
    another name inside: subscripts are counted from the dimension's beginning instead.
    """
    dimensions = node.tensor.dimensions
    begins = [
        d.minimum if d.fold is None and lane in d.minimum.variables else None for d in dimensions
    ]

    def moved(subscripts: tuple[Expr, ...]) -> tuple[Expr, ...]:
        pairs = zip(subscripts, begins, strict=True)
        return tuple(s if b is None else normalized(Binary(INT32, "sub", s, b)) for s, b in pairs)

    tensor = replace(
        node.tensor,
        dimensions=tuple(
            d if b is None else replace(d, minimum=integer(0))
            for d, b in zip(dimensions, begins, strict=True)
        ),
    )
    return Allocate(tensor, with_places(node.body, tensor.name, moved))
