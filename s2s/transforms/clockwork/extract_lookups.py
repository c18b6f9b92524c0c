"""Places that depend on data are values of an operation, which go to a memory's address port.

::

    g(x) = f(z(x) + 1)             f$place = z(x) + 1
                                   g(x) = f(f$place)

    f(z(x)) = f(z(x)) + 1          f$place = z(x)
                                   f(f$place) = f(f$place) + 1

Address generators of the dissertation's array count, whatever the data are (section 6.1 of Setter's
dissertation leaves the histogram out). A buffer of which one dimension is always a constant
becomes one for each of them: their memories are used side by side.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from s2s.scop.accelerator import constant
from s2s.scop.build import const
from s2s.scop.expressions import INT32, Cast, Const, Expr, Load, Type, walk
from s2s.scop.nest import Allocate, Argument, Dimension, Node, Store, Tensor
from s2s.scop.nest import walk as nodes
from s2s.scop.rewrite import block, map_children, transform


def name_lookups(body: Node, streams: Sequence[Argument], tables: Collection[str]) -> Node:
    """The body in which places that depend on data, but for those in tables, are loads.

    Subscripts count from 0, and buffers are as large as these may be.
    """
    known = {a.tensor.name: a.tensor for a in streams if a.tensor is not None}
    return _visit(_split_constants(body, frozenset(tables)), known, frozenset(tables))


def _visit(node: Node, tensors: Mapping[str, Tensor], tables: frozenset[str]) -> Node:
    if isinstance(node, Allocate):
        inner = {**tensors, node.tensor.name: node.tensor}
        return replace(node, body=_visit(node.body, inner, tables))
    if isinstance(node, Store):
        return _named(node, tensors, tables)
    return map_children(node, lambda child: _visit(child, tensors, tables))


def _named(store: Store, tensors: Mapping[str, Tensor], tables: frozenset[str]) -> Node:
    """What one store becomes: operations for its places, and itself."""
    places: list[Tensor] = []
    stores: list[Node] = []
    while (found := next(_lookups(store, tables), None)) is not None:
        subscript, tensor, dimension = found
        extent = constant(tensors[tensor].dimensions[dimension].extent)
        kind = Type("uint", 16 if extent <= 1 << 16 else 32)
        name = f"{store.tensor}$place{len(places)}"
        places.append(Tensor(name, (kind,), (Dimension(const(0), const(1)),)))
        zero = (const(0),)
        stores.append(Store(name, zero, (Cast(kind, subscript),), func=name, at=store.at))
        store = _with_place(store, subscript, Cast(INT32, Load(kind, name, zero)))
    node = block([*stores, store])
    for tensor_of in reversed(places):
        node = Allocate(tensor_of, node)
    return node


def _with_place(store: Store, old: Expr, new: Expr) -> Store:
    def change(node: Expr) -> Expr:
        return new if node == old else node

    return replace(
        store,
        subscripts=tuple(transform(s, change) for s in store.subscripts),
        values=tuple(transform(v, change) for v in store.values),
    )


def _lookups(store: Store, tables: frozenset[str]) -> Iterator[tuple[Expr, str, int]]:
    """Subscripts that depend on data and are no place yet, with the tensor and the dimension.

    Those that others depend on come first.
    """
    for expr in (*store.values, *store.subscripts):
        for node in walk(expr):
            if isinstance(node, Load) and node.tensor not in tables:
                yield from _unnamed(node.tensor, node.subscripts)
    yield from _unnamed(store.tensor, store.subscripts)


def _unnamed(tensor: str, subscripts: tuple[Expr, ...]) -> Iterator[tuple[Expr, str, int]]:
    for dimension, subscript in enumerate(subscripts):
        if subscript.reads and not _is_place(subscript):
            yield subscript, tensor, dimension


def _is_place(subscript: Expr) -> bool:
    match subscript:
        case Cast(_, Load(_, tensor)):
            return "$place" in tensor
    return False


# ---- buffers of which a dimension is always a constant


def _split_constants(body: Node, tables: frozenset[str]) -> Node:
    """A buffer for each constant of such a dimension, of those with places from data."""
    for allocation in list(nodes(body)):
        if not isinstance(allocation, Allocate):
            continue
        name = allocation.tensor.name
        accesses = list(_accesses(body, name))
        if name in tables or not any(s.reads for subscripts in accesses for s in subscripts):
            continue
        for dimension in reversed(range(len(allocation.tensor.dimensions))):
            values = {subscripts[dimension] for subscripts in accesses}
            if len(values) > 1 and all(isinstance(v, Const) for v in values):
                body = _split(body, name, dimension)
    return body


def _accesses(body: Node, name: str) -> Iterator[tuple[Expr, ...]]:
    for node in nodes(body):
        if isinstance(node, Store):
            if node.tensor == name:
                yield node.subscripts
            for expr in (*node.values, *node.subscripts):
                for part in walk(expr):
                    if isinstance(part, Load) and part.tensor == name:
                        yield part.subscripts


def _split(node: Node, name: str, dimension: int) -> Node:
    """The dimension stays, with one element: a buffer keeps the number of its subscripts."""

    def of(value: Expr) -> str:
        assert isinstance(value, Const)
        return f"{name}${value.value}"

    def at(subscripts: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return (*subscripts[:dimension], const(0), *subscripts[dimension + 1 :])

    def read(part: Expr) -> Expr:
        if isinstance(part, Load) and part.tensor == name:
            place = part.subscripts[dimension]
            return replace(part, tensor=of(place), subscripts=at(part.subscripts))
        return part

    def change(node: Node) -> Node:
        if isinstance(node, Allocate) and node.tensor.name == name:
            values = {s[dimension] for s in _accesses(node, name)}
            inside = change(node.body)
            sides = list(node.tensor.dimensions)
            sides[dimension] = Dimension(const(0), const(1))
            for part in sorted(map(of, values), reverse=True):
                inside = Allocate(replace(node.tensor, name=part, dimensions=tuple(sides)), inside)
            return inside
        if not isinstance(node, Store):
            return map_children(node, change)
        subscripts = tuple(transform(e, read) for e in node.subscripts)
        values_ = tuple(transform(e, read) for e in node.values)
        if node.tensor != name:
            return replace(node, subscripts=subscripts, values=values_)
        new = of(subscripts[dimension])
        return replace(node, tensor=new, subscripts=at(subscripts), values=values_)

    return change(node)
