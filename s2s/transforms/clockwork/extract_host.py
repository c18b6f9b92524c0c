"""What the host does: all of the pipeline but its accelerator, which it runs for each tile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from s2s.scop.accelerator import StreamOrigin, constant
from s2s.scop.build import add, both, const, le, sub, var
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Binary, Const, Expr, Load
from s2s.scop.nest import (
    Allocate,
    Argument,
    Check,
    Dimension,
    For,
    If,
    Nest,
    Node,
    Produce,
    Run,
    Store,
    Tensor,
    children,
    walk,
)
from s2s.scop.rewrite import block, map_children
from s2s.scop.simplify.simplify import Simplifier
from s2s.transforms.clockwork.extract_tile import MARK, Tile
from s2s.transforms.halide.signature import Signature

Origins = Mapping[str, StreamOrigin]


def host_nest(tile: Tile, accelerator: Nest, origins: Origins) -> Nest:
    """The nest of the pipeline in which a ``Run`` stands where the loops of the tile were.

    ``origins``: which elements each stream has. Words
    that the array takes and nothing uses (where windows are rounded up) are copies of the last.
    Raises Illegal where the program cannot run to its end.
    """
    tiles = _Tiles(tile, accelerator, origins)
    body = tiles.visit(tile.whole)
    pipeline = tile.boundary
    checks: list[Node] = [Check(c, message) for c, message in pipeline.requirements]
    by = Simplifier()
    signature = Signature(pipeline, block([*checks, body]), tile.known, by, tile.values)
    whole = block([*checks, *signature.checks, body])
    for check in _always_run(whole):
        if by.constant(check.condition) == 0:
            raise Illegal(f"{check.message}: the host's program would end here", tile.output.at)
    arguments = tuple(_from_zero(argument, tile.known) for argument in signature.arguments)
    return Nest(accelerator.name, arguments, whole, tuple(signature.tables))


def _always_run(node: Node) -> Iterator[Check]:
    """What is checked whatever the arguments are."""
    if isinstance(node, Check):
        yield node
    elif not isinstance(node, If):
        for child in children(node):
            yield from _always_run(child)


def _from_zero(argument: Argument, known: Mapping[str, Expr]) -> Argument:
    """An image from its first element on, also where only later ones are needed.

    It begins at 0 unless the program says where; one that is needed before 0 begins there.
    """
    tensor = argument.tensor
    if tensor is None or argument.output:
        return argument
    dimensions = []
    for place, one in enumerate(tensor.dimensions):
        low = one.minimum
        if f"{tensor.name}.min.{place}" not in known and isinstance(low, Const) and low.value > 0:
            one = replace(one, minimum=const(0), extent=Simplifier()(add(one.extent, low)))
        dimensions.append(one)
    return replace(argument, tensor=replace(tensor, dimensions=tuple(dimensions)))


class _Tiles:
    """Puts the run of a tile, with copies of its streams, in the place of its loops."""

    def __init__(self, tile: Tile, accelerator: Nest, origins: Origins) -> None:
        self._by = Simplifier(final=True)
        self._function = f"{accelerator.name}_accelerator"
        self._arguments = accelerator.arguments
        self._origins = origins
        self._memory = {t.name: t for t in _memory(tile.whole)}

    def visit(self, node: Node) -> Node:
        """The nest with the tile's loops replaced."""
        if isinstance(node, For):
            outer = self._by
            last = outer(sub(add(node.minimum, node.extent), const(1)))
            self._by = outer.inner(
                {node.name: (outer.bounds(node.minimum)[0], outer.bounds(last)[1])}
            )
            body = self.visit(node.body)
            self._by = outer
            return replace(node, body=body)
        if not (isinstance(node, Produce) and node.func == MARK):
            return map_children(node, self.visit)
        streams = [a.tensor for a in self._arguments if a.tensor is not None]
        run: Node = Run(self._function, tuple(stream.name for stream in streams))
        given = [self._copy((a,)) for a in self._arguments if not a.output]
        taken = self._copy(tuple(a for a in self._arguments if a.output))
        body = block([*given, run, taken])
        for stream in streams:
            body = Allocate(stream, body)
        return body

    def _copy(self, arguments: tuple[Argument, ...]) -> Node:
        """From a Func's memory to an input stream, or from the streams of all components back."""
        argument, streams = arguments[0], [a.tensor for a in arguments if a.tensor is not None]
        stream, origin = streams[0], self._origins[argument.name]
        func = origin.func
        names = [f"{stream.name}.d{k}" for k in range(len(stream.dimensions))]
        by = self._by.inner(
            {
                name: (0, constant(d.extent) - 1)
                for name, d in zip(names, stream.dimensions, strict=True)
            }
        )
        own = tuple(map(var, names))
        places = tuple(by(add(low, place)) for low, place in zip(origin.first, own, strict=True))
        memory = self._memory.get(func)
        if argument.output:
            node = _given_back(func, places, streams, own, memory, by)
        else:
            places = places if memory is None else _inside(places, memory, by)
            node = Store(stream.name, own, (Load(stream.types[0], func, places, origin.component),))
        for name, dimension in zip(names, stream.dimensions, strict=True):
            node = For(name, const(0), dimension.extent, "serial", node, func, 0, name)
        return node


def _memory(node: Node) -> Iterator[Tensor]:
    return (n.tensor for n in walk(node) if isinstance(n, Allocate))


def _last(dimension: Dimension) -> Expr:
    return sub(add(dimension.minimum, dimension.extent), const(1))


def _inside(places: tuple[Expr, ...], memory: Tensor, by: Simplifier) -> tuple[Expr, ...]:
    """Places, those outside of the memory moved to its ends."""
    found = []
    for place, dimension in zip(places, memory.dimensions, strict=True):
        low = Binary(place.type, "max", place, dimension.minimum)
        found.append(by(Binary(place.type, "min", low, _last(dimension))))
    return tuple(found)


def _given_back(
    func: str,
    places: tuple[Expr, ...],
    streams: Sequence[Tensor],
    own: tuple[Expr, ...],
    memory: Tensor | None,
    by: Simplifier,
) -> Node:
    """A store to the Func's memory, where it has such an element."""
    store = Store(func, places, tuple(Load(s.types[0], s.name, own) for s in streams))
    if memory is None:
        return store
    where: Expr | None = None
    for place, dimension in zip(places, memory.dimensions, strict=True):
        here = by(both(le(dimension.minimum, place), le(place, _last(dimension))))
        where = here if where is None else by(both(where, here))
    if where is None or by.constant(where) == 1:
        return store
    return If(where, store)
