"""Neighbouring loops over the same lanes become one, and what lies between them scalars.

A Func computed for one vector of its consumer has loops over its lanes and memory for one vector.
In one loop each lane has the value in a scalar, and the loop can be joined with the loop over
vectors (``merge``)::

    s[8]; simd for (v) s[v] = 0; simd for (v) s[v] += f(v); simd for (v) g(v) = s[v];
      ->  simd for (v) { s; s = 0; s += f(v); g(v) = s; }

Short loops with a constant length between them or in them are written out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from s2s.scop.build import add
from s2s.scop.expressions import INT32, Const, Expr, Variable
from s2s.scop.expressions import walk as nodes
from s2s.scop.nest import Allocate, Block, Define, Dimension, For, If, Node, Produce, Store, walk
from s2s.scop.normal_form import integer, linear, normalized, with_values
from s2s.scop.rewrite import block, with_children, with_places
from s2s.transforms.nest.lanes import from_zero, only_constants
from s2s.transforms.nest.merge import Folded, folded_dimensions, independent, loads

_STORES = 160
"""The most stores that written-out loops give together."""

_NODES = 12_000
"""The most operations in them."""


def join_lanes(node: Node, folded: Folded = frozenset()) -> Node:
    """The tree with lanes joined as far outside as one loop over them can stand."""
    if isinstance(node, Allocate):
        folded |= folded_dimensions(node.tensor)
    whole = _lanes(node, folded)
    if whole is not None:
        return whole
    if isinstance(node, Block):
        return block([join_lanes(part, folded) for part in _runs(node.children, folded)])
    return with_children(node, lambda child: join_lanes(child, folded))


def _runs(children: Sequence[Node], folded: Folded) -> Iterator[Node]:
    """The nodes of a block, neighbours over the same lanes as one."""
    run: For | None = None
    for child in children:
        lanes = _lanes(child, folded)
        both = None if run is None or lanes is None else _together([run, lanes], folded)
        if both is not None:
            run = both
            continue
        if run is not None:
            yield run
        run = lanes
        if lanes is None:
            yield child
    if run is not None:
        yield run


def _lanes(node: Node, folded: Folded) -> For | None:
    """A node as one loop over lanes with straight-line code in it, if that is the same."""
    match node:
        case For(kind="vectorized"):
            return _straight(node)
        case For(kind="serial"):
            return _written_out(node, folded)
        case Block(children):
            parts = [_lanes(child, folded) for child in children]
            found = [part for part in parts if part is not None]
            return _together(found, folded) if len(found) == len(parts) else None
        case Produce(func, body):
            lanes = _lanes(body, folded)
            return None if lanes is None else replace(lanes, body=Produce(func, lanes.body))
        case Define(name, value, body) if not value.reads:
            lanes = _lanes(body, folded)
            return None if lanes is None else replace(lanes, body=Define(name, value, lanes.body))
        case If(condition, then, None) if not condition.reads:
            lanes = _lanes(then, folded)
            return None if lanes is None else replace(lanes, body=If(condition, lanes.body))
        case Allocate():
            lanes = _lanes(node.body, folded | folded_dimensions(node.tensor))
            return None if lanes is None else _private(node, lanes)
    return None


def _straight(loop: For) -> For | None:
    """The loop from 0, the short loops in it written out."""
    if not (isinstance(loop.extent, Const) and isinstance(normalized(loop.minimum), Const)):
        return None
    body = _without_loops(loop.body)
    if any(isinstance(n, For) or not _is_scalar(n) for n in walk(body)) or not _short(body):
        return None
    return from_zero(replace(loop, body=body))


def _is_scalar(node: Node) -> bool:
    return not isinstance(node, Allocate) or only_constants(node)


def _without_loops(body: Node) -> Node:
    """The body with its serial loops of few iterations written out."""
    body = with_children(body, _without_loops)
    if isinstance(body, For) and body.kind == "serial":
        copies = _copies(body)
        return body if copies is None else block(copies)
    return body


def _copies(loop: For) -> list[Node] | None:
    low, count = normalized(loop.minimum), normalized(loop.extent)
    if not isinstance(count, Const):
        return None
    if any(isinstance(n, For) and n.kind == "parallel" for n in walk(loop.body)):
        return None
    if int(count.value) * sum(isinstance(n, Store) for n in walk(loop.body)) > _STORES:
        return None
    return [with_values(loop.body, {loop.name: add(low, k)}) for k in range(int(count.value))]


def _short(body: Node) -> bool:
    """Whether straight-line code is not too much for a compiler."""
    stores = [n for n in walk(body) if isinstance(n, Store)]
    if len(stores) > _STORES:
        return False
    return sum(sum(1 for _ in nodes(v)) for n in stores for v in n.values) <= _NODES


def _written_out(loop: For, folded: Folded) -> For | None:
    """A short loop around lanes."""
    lanes = _lanes(loop.body, folded)
    if lanes is None or lanes.name in loop.minimum.variables | loop.extent.variables:
        return None
    if _writes_apart(loop, lanes.body):
        return None
    copies = _copies(replace(loop, body=lanes.body))
    if not copies:
        return None
    return _together([replace(lanes, body=copy) for copy in copies], folded)


def _writes_apart(loop: For, body: Node) -> bool:
    """Whether iterations of a loop write different elements: their lanes are not one loop's."""
    if isinstance(loop.extent, Const) and loop.extent.value == 1:
        return False
    own = {n.tensor.name for n in walk(body) if isinstance(n, Allocate)}
    stores = (n for n in walk(body) if isinstance(n, Store) and n.tensor not in own)
    return any(loop.name in s.variables for store in stores for s in store.subscripts)


def _together(loops: Sequence[For], folded: Folded) -> For | None:
    """One loop that does what some loops over lanes do one after the other."""
    first = loops[0]
    if any(loop.extent is not first.extent for loop in loops):
        return None
    lane = Variable(INT32, first.name)
    bodies = [first.body, *(with_values(o.body, {o.name: lane}) for o in loops[1:])]
    body = block(bodies)
    if len(loops) > 1 and not (independent(body, lane, folded) and _short(body)):
        return None
    return replace(first, body=body)


def _private(node: Allocate, lanes: For) -> For | None:
    """Memory around lanes as memory of each lane."""
    tensor = node.tensor
    places = list(_places(lanes.body, tensor.name))
    sizes = [e for d in tensor.dimensions for e in (d.minimum, d.extent, d.stride, d.fold) if e]
    if any(lanes.name in e.variables for e in sizes) or not places:
        return None
    lane = Variable(INT32, lanes.name)
    for d, dimension in enumerate(tensor.dimensions):
        same = all(place[d] is places[0][d] for place in places)
        if same and dimension.fold is None and linear(places[0][d]).coefficient(lane):
            break
    else:
        return None
    one = Dimension(integer(0), integer(1))
    rest = (*tensor.dimensions[:d], one, *tensor.dimensions[d + 1 :])
    made = Allocate(replace(tensor, dimensions=rest), _without(lanes.body, tensor.name, d))
    return replace(lanes, body=made) if only_constants(made) else None


def _places(body: Node, name: str) -> Iterator[tuple[Expr, ...]]:
    """The subscripts with which a tensor is written and read, in normal form."""
    for below in walk(body):
        if isinstance(below, Store) and below.tensor == name:
            yield tuple(map(normalized, below.subscripts))
    for load in loads(body):
        if load.tensor == name:
            yield tuple(map(normalized, load.subscripts))


def _without(body: Node, name: str, d: int) -> Node:
    """The body with 0 as this subscript of a tensor."""

    def at_zero(subscripts: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return (*subscripts[:d], integer(0), *subscripts[d + 1 :])

    return with_places(body, name, at_zero)
