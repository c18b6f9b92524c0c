"""From a loop nest over tensors (of a C function) to what an accelerator runs: all of it, at once.

::

    for y, x:                          for y, x: a$own(x, y) = a(x, y)        an input's stage
      c(x, y) = a(x, y) + a(x, y + 1)  for y, x: c(x, y) = a$own(x, y) + a$own(x, y + 1)

Arrays are streams of the elements that the nest touches. One whose elements are loaded before they
are written, or of which some are not written, comes in, too, and goes out as a stream of its own.
Inner loops of reductions with few iterations are unrolled: a filter's taps come in one cycle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import islpy as isl

from s2s.scop.accelerator import Accelerator, constant
from s2s.scop.build import add, both, const, le, lt, var
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Const, Expr, Load, walk
from s2s.scop.lift_nest import lift_nest
from s2s.scop.nest import (
    Allocate,
    Argument,
    Block,
    Dimension,
    For,
    If,
    Nest,
    Node,
    Run,
    Store,
    Tensor,
)
from s2s.scop.nest import walk as nodes
from s2s.scop.rewrite import NOTHING, block, map_children, substitute_in, with_places
from s2s.scop.simplify.intervals import Bounds
from s2s.scop.simplify.simplify import Simplifier
from s2s.source import Span
from s2s.source.records import dataclass
from s2s.transforms.clockwork.extract_edges import cut_at_edges
from s2s.transforms.clockwork.extract_lookups import name_lookups
from s2s.transforms.clockwork.extract_names import give_names
from s2s.transforms.clockwork.extract_operations import make_operations
from s2s.transforms.clockwork.extract_streams import copy_elements, rename_tensor, with_stage
from s2s.transforms.clockwork.simplify_kernels import simplify_kernels
from s2s.transforms.halide.boxes import find_touched
from s2s.transforms.halide.simplify_nest import simplified_nest


@dataclass(frozen=True)
class Stream:
    """A stream's array, and the element of it that is the stream's first."""

    array: str
    minima: tuple[int, ...]


@dataclass(frozen=True)
class ExtractedNest:
    """An accelerator, the ``host``'s nest around it, and whose elements its streams have."""

    accelerator: Accelerator
    host: Nest
    streams: Mapping[str, Stream]

    @property
    def updated(self) -> frozenset[str]:
        """Arrays that come in and go out, or of which elements stay as they were."""
        inputs = {self.streams[name].array for name in self.accelerator.inputs}
        whole = {a.name: a.tensor.dimensions for a in self.host.arguments if a.tensor is not None}
        found = set()
        for name in self.accelerator.outputs:
            array = self.streams[name].array
            own = [d.extent for d in self.accelerator.tensors[name].dimensions]
            if array in inputs or own != [d.extent for d in whole[array]]:
                found.add(array)
        return frozenset(found)


def extract_nest(nest: Nest, unroll: int) -> ExtractedNest:
    """The accelerator of a nest; reductions of at most ``unroll`` stores are unrolled.

    Raises Illegal, with the place in the source, for what the array does not have.
    """
    by = Simplifier(final=True)
    body = _unroll(_rebase(nest.body, by), unroll)
    body = make_operations(_with_stages(simplified_nest(body, by)), by)
    body = simplify_kernels(simplified_nest(body, by))
    _check_closed(body)
    tables = {table.name: table for table in nest.tables}
    arguments: list[Argument] = []
    origins: list[Stream] = []
    for array in nest.arguments:
        if array.tensor is None:
            continue
        body, own = _as_streams(body, array, by)
        arguments += [argument for argument, _ in own]
        origins += [stream for _, stream in own]
    order = sorted(range(len(arguments)), key=lambda k: arguments[k].output)
    body = simplified_nest(body, by)
    ordered = tuple(arguments[k] for k in order)
    body = cut_at_edges(name_lookups(body, ordered, tables.keys()), by)
    named = give_names(nest.name, ordered, body, tables, {})
    streams = {a.name: origins[k] for a, k in zip(named.arguments, order, strict=True)}
    return ExtractedNest(Accelerator(named), _host(nest, named, streams), streams)


# ---- loops and stores


def _rebase(node: Node, by: Simplifier) -> Node:
    """Loops from 0, with numbers of iterations; nothing but loops, stores and conditions."""
    if isinstance(node, For):
        node = _bounded(node, by)
        low, extent, body = node.minimum, node.extent, node.body
        if constant(extent) < 1:
            return NOTHING
        if not (isinstance(low, Const) and low.value == 0):
            body = substitute_in(body, {node.name: add(var(node.name), low)})
        body = _rebase(body, by.inner({node.name: (0, constant(extent) - 1)}))
        return replace(node, minimum=const(0), extent=extent, kind="serial", body=body)
    if not isinstance(node, Block | If | Store | Allocate):
        raise Illegal(f"the array has no '{type(node).__name__}'", _at(node))
    return map_children(node, lambda child: _rebase(child, by))


def _bounded(loop: For, by: Simplifier) -> For:
    """The loop with constant bounds: with all iterations that there may be, under a condition."""
    low, extent = by(loop.minimum), by(loop.extent)
    if isinstance(extent, Const):
        return replace(loop, minimum=low, extent=extent)
    end = by(add(low, extent))
    (first, _), (_, last) = by.bounds(low), by.bounds(end)
    if first is None or last is None:
        text = f"loop '{loop.name}' has no constant number of iterations, which the array needs"
        raise Illegal(f"{text}; legal: --param NAME=NUMBER for what it depends on", _at(loop))
    place = var(loop.name)
    where = both(le(low, place), lt(place, end))
    body = If(where, loop.body)
    return replace(loop, minimum=const(first), extent=const(max(0, last - first)), body=body)


def _at(node: Node) -> Span | None:
    """A place in the source that a node came from."""
    found = (n.at for n in nodes(node) if isinstance(n, Store))
    return next((at for at in found if at is not None), None)


def _unroll(node: Node, most: int) -> Node:
    """The nest without inner loops of few stores that go to the same elements again and again."""
    node = map_children(node, lambda child: _unroll(child, most))
    if not isinstance(node, For) or any(isinstance(n, For) for n in nodes(node.body)):
        return node
    count = constant(node.extent)
    stores = [n for n in nodes(node.body) if isinstance(n, Store)]
    moves = any(node.name in s.variables for store in stores for s in store.subscripts)
    if moves or count * len(stores) > most:
        return node
    return block([substitute_in(node.body, {node.name: const(k)}) for k in range(count)])


def _with_stages(node: Node) -> Node:
    """Stores under conditions as updates: they leave what is there."""
    if isinstance(node, If):
        return map_children(node, lambda child: _updates(child))
    return map_children(node, _with_stages)


def _updates(node: Node) -> Node:
    if isinstance(node, Store):
        return replace(node, stage=1)
    return map_children(node, _updates)


def _check_closed(body: Node) -> None:
    loops = {n.name for n in nodes(body) if isinstance(n, For)}
    for store in nodes(body):
        parts = (*store.values, *store.subscripts) if isinstance(store, Store) else ()
        for name in sorted(set().union(*(part.variables for part in parts)) - loops):
            text = f"'{name}' is no number, and no array that a stream could bring"
            raise Illegal(f"{text}; legal: --param {name}=NUMBER", _at(store))


# ---- arrays


def _as_streams(
    body: Node, array: Argument, by: Simplifier
) -> tuple[Node, list[tuple[Argument, Stream]]]:
    """The body with an array's streams in its place, and these."""
    assert array.tensor is not None
    name = array.name
    stores = [n for n in nodes(body) if isinstance(n, Store)]
    writers = [s for s in stores if s.tensor == name]
    readers = [s for s in stores if any(load.tensor == name for load in _loads(s))]
    if not writers and not readers:
        return body, []
    minima, sides = _box(body, array, by, (writers or readers)[0].at)
    tensor = replace(array.tensor, name=name, dimensions=sides, order=())
    body = with_places(
        body,
        name,
        lambda old: tuple(by(add(place, -low)) for place, low in zip(old, minima, strict=True)),
    )
    stream = Stream(name, minima)
    type_ = tensor.types[0]
    if not writers:
        return with_stage(body, tensor, False), [(Argument(name, tensor, type_), stream)]
    comes_in = _comes_in(body, tensor)
    goes_out = Argument(name, tensor, type_, output=True), stream
    if not comes_in and len(writers) == 1 and not readers and _stored_once(body, tensor):
        return body, [goes_out]
    own = replace(tensor, name=f"{name}$own")
    before = replace(tensor, name=f"{name}$in")
    inside = rename_tensor(body, name, own.name)
    parts = [inside, copy_elements(own.name, name, tensor)]
    if comes_in:
        parts.insert(0, copy_elements(before.name, own.name, tensor))
    body = Allocate(own, block(parts))
    return body, [*([(Argument(before.name, before, type_), stream)] if comes_in else []), goes_out]


def _loads(store: Store) -> Iterator[Load]:
    for expr in (*store.values, *store.subscripts):
        yield from (n for n in walk(expr) if isinstance(n, Load))


def _box(
    body: Node, array: Argument, by: Simplifier, at: Span | None
) -> tuple[tuple[int, ...], tuple[Dimension, ...]]:
    """The least subscripts of an array, and the sizes of what is touched from there."""
    assert array.tensor is not None
    box = find_touched(body, Bounds(by, {}), array.name).get(array.name)
    minima, sides = [], []
    assert box is not None
    for k, side in enumerate(box.bounds):
        low = None if side.low is None else by(side.low)
        high = None if side.high is None else by(side.high)
        own = array.tensor.dimensions[k]
        if not (isinstance(low, Const) and isinstance(high, Const)):
            first, extent = by(own.minimum), by(own.extent)
            if not (isinstance(first, Const) and isinstance(extent, Const)):
                text = f"what is touched of '{array.name}' is not known"
                raise Illegal(f"{text}; legal: an array of a constant size, or --param", at)
            low, high = first, const(constant(first) + constant(extent) - 1)
        minima.append(constant(low))
        sides.append(Dimension(const(0), const(constant(high) - constant(low) + 1)))
    return tuple(minima), tuple(sides)


def _comes_in(body: Node, tensor: Tensor) -> bool:
    """Whether an element is loaded before it is written, or never written for sure."""
    alone = Nest("alone", (Argument(tensor.name, tensor, tensor.types[0], output=True),), body)
    statements = lift_nest(_closed(alone)).statements
    writes, reads, order = (isl.UnionMap("{}") for _ in range(3))
    for statement in statements:
        order = order.union(_map(statement.schedule.intersect_domain(statement.domain)))
        surely = statement.write.exact and statement.exact
        if surely and statement.write.array == tensor.name:
            writes = writes.union(_map(statement.write.relation.intersect_domain(statement.domain)))
        for read in statement.reads:
            if read.array == tensor.name:
                reads = reads.union(_map(read.relation.intersect_domain(statement.domain)))
    written = writes.range()
    ranges = [f"0 <= a{k} < {constant(d.extent)}" for k, d in enumerate(tensor.dimensions)]
    names = ", ".join(f"a{k}" for k in range(len(ranges)))
    box = isl.Set(f"{{ [{names}] : {' and '.join(ranges) or 'true'} }}")
    every = isl.UnionSet.from_set(box.set_tuple_name(tensor.name))
    if not every.is_subset(written):
        return True
    flow = isl.UnionAccessInfo.from_sink(reads).set_must_source(writes).set_schedule_map(order)
    return not flow.compute_flow().get_must_no_source().is_empty()


def _map(relation: isl.Map) -> isl.UnionMap:
    return isl.UnionMap.from_map(relation)


def _closed(nest: Nest) -> Nest:
    """The nest with all tensors that it names as arguments."""
    known = {n.tensor.name for n in nodes(nest.body) if isinstance(n, Allocate)}
    known |= {a.name for a in nest.arguments}
    more: dict[str, Argument] = {}
    for store in nodes(nest.body):
        if isinstance(store, Store):
            accesses = [(store.tensor, store.subscripts, store.values[0].type)]
            accesses += [(x.tensor, x.subscripts, x.type) for x in _loads(store)]
            for name, subscripts, type_ in accesses:
                if name not in known:
                    sides = tuple(Dimension(const(0), const(1 << 20)) for _ in subscripts)
                    more[name] = Argument(name, Tensor(name, (type_,), sides), type_)
    return replace(nest, arguments=(*nest.arguments, *more.values()))


def _stored_once(body: Node, tensor: Tensor) -> bool:
    """Whether each element is written by one iteration."""
    alone = Nest("alone", (Argument(tensor.name, tensor, tensor.types[0], output=True),), body)
    return all(
        bool(s.write.relation.intersect_domain(s.domain).is_injective())
        for s in lift_nest(_closed(alone)).statements
        if s.write.array == tensor.name
    )


# ---- the host


def _host(nest: Nest, accelerator: Nest, streams: Mapping[str, Stream]) -> Nest:
    """The function with a run of the accelerator in the place of its loops."""
    names = tuple(a.name for a in accelerator.arguments)
    parts: list[Node] = []
    after: list[Node] = []
    sizes: dict[str, list[int]] = {}
    for argument in accelerator.arguments:
        assert argument.tensor is not None
        stream = streams[argument.name]
        (after if argument.output else parts).append(_moved(argument, stream))
        ends = [
            low + constant(d.extent)
            for low, d in zip(stream.minima, argument.tensor.dimensions, strict=True)
        ]
        known = sizes.get(stream.array, ends)
        sizes[stream.array] = [max(a, b) for a, b in zip(known, ends, strict=True)]
    body = block([*parts, Run(f"{accelerator.name}_accelerator", names), *after])
    for argument in accelerator.arguments:
        assert argument.tensor is not None
        body = Allocate(argument.tensor, body)
    return Nest(accelerator.name, tuple(_sized(nest.arguments, sizes)), body)


def _sized(arguments: Sequence[Argument], sizes: Mapping[str, list[int]]) -> Iterator[Argument]:
    """The function's arrays, as large as is known."""
    for argument in arguments:
        if argument.tensor is None or argument.name not in sizes:
            continue
        dimensions = tuple(
            d if isinstance(d.extent, Const) else Dimension(const(0), const(size))
            for d, size in zip(argument.tensor.dimensions, sizes[argument.name], strict=True)
        )
        yield replace(argument, tensor=replace(argument.tensor, dimensions=dimensions))


def _moved(argument: Argument, stream: Stream) -> Node:
    """A copy from the array to the stream, or back."""
    tensor = argument.tensor
    assert tensor is not None
    names = [f"{tensor.name}.d{k}" for k in range(len(tensor.dimensions))]
    own: tuple[Expr, ...] = tuple(map(var, names))
    places = tuple(add(place, low) for place, low in zip(own, stream.minima, strict=True))
    if argument.output:
        node: Node = Store(stream.array, places, (Load(tensor.types[0], tensor.name, own),))
    else:
        node = Store(tensor.name, own, (Load(tensor.types[0], stream.array, places),))
    for name, dimension in zip(names, tensor.dimensions, strict=True):
        node = For(name, const(0), dimension.extent, "serial", node, stream.array, 0, name)
    return node
