"""The boundary of an accelerator: its streams, and all its buffers from element 0."""

from __future__ import annotations

from dataclasses import replace

from s2s.scop.accelerator import StreamOrigin
from s2s.scop.build import add, const, sub, var
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Binary, Const, Expr, Load, walk
from s2s.scop.nest import Allocate, Argument, Dimension, For, Node, Store, Tensor
from s2s.scop.nest import walk as nodes
from s2s.scop.rewrite import block, map_children, transform, with_places
from s2s.scop.simplify.intervals import Bounds
from s2s.scop.simplify.simplify import Simplifier
from s2s.source import Span
from s2s.transforms.clockwork.extract_boundary import is_entry
from s2s.transforms.clockwork.extract_tile import Tile
from s2s.transforms.clockwork.extract_tuples import component_name, func_and_component
from s2s.transforms.halide.boxes import find_touched
from s2s.transforms.halide.simplify_nest import simplified_nest

_UNEVEN = frozenset(("div", "mod", "min", "max", "lt", "le", "eq", "ne"))


class Streams:
    """What an accelerator reads and writes of the outside; ``arguments``: inputs, then output."""

    def __init__(self, tile: Tile, tables: dict[str, Tensor]) -> None:
        self._tile, self._tables = tile, tables
        self.arguments: tuple[Argument, ...] = ()
        self.origins: list[StreamOrigin] = []
        """For each argument, by the host's loops."""

    def shift(self, body: Node) -> Node:
        """The body with subscripts from 0, in loops from 0, with stages at the boundary.

        Raises Illegal where the body is not closed, and where tiles differ by more than places.
        """
        output = self._tile.output
        outputs = [component_name(output.name, k) for k in range(len(output.types))]
        inside = {n.tensor.name for n in nodes(body) if isinstance(n, Allocate)}
        inputs: dict[str, Store] = {}
        for store in nodes(body):
            if isinstance(store, Store):
                for name in _loaded(store) - inside - self._tables.keys() - {*outputs}:
                    inputs.setdefault(name, store)
        for name, store in inputs.items():
            self._check_entry(name, store)
        arguments = []
        for name in (*inputs, *outputs):
            body, tensor, first = self._moved(body, self._outside(name), self._tile.by)
            func, component = func_and_component(name)
            self.origins.append(StreamOrigin(func, first, component))
            arguments.append(Argument(name, tensor, tensor.types[0], output=name in outputs))
        body = simplified_nest(self._inner(body, self._tile.by), self._tile.by)
        self._check_closed(body)
        for argument in arguments:
            assert argument.tensor is not None
            body = with_stage(body, argument.tensor, argument.output)
        self.arguments = tuple(arguments)
        return body

    def _check_entry(self, name: str, store: Store) -> None:
        func = self._tile.funcs.get(func_and_component(name)[0])
        if func is None:
            text = f"the accelerator reads {name}, which is in the host's memory"
            legal = "a Func that copies it, with compute_root and stream_to_accelerator"
            raise Illegal(f"{text}; legal: {legal}", store.at)
        if not is_entry(func):
            text = f"the accelerator reads {name} in {store.func}, which is computed outside of it"
            legal = f"{name}.stream_to_accelerator(), or compute_at one of the array's loops"
            raise Illegal(f"{text}; legal: {legal}", store.at)

    def _outside(self, name: str) -> Tensor:
        of, component = func_and_component(name)
        func = self._tile.funcs[of]
        return Tensor(name, (func.types[component],), (), memory=func.schedule.memory)

    def _inner(self, node: Node, by: Simplifier) -> Node:
        if isinstance(node, For):
            assert isinstance(node.extent, Const)
            by = by.inner({node.name: (0, int(node.extent.value) - 1)})
        if isinstance(node, Allocate):
            body, tensor, _ = self._moved(node.body, node.tensor, by)
            return Allocate(tensor, self._inner(body, by))
        return map_children(node, lambda child: self._inner(child, by))

    def _moved(
        self, body: Node, tensor: Tensor, by: Simplifier
    ) -> tuple[Node, Tensor, tuple[Expr, ...]]:
        """The body with a tensor's subscripts from 0, the tensor, and its first element."""
        at = self._place(tensor.name)
        bounds = Bounds(by, {}, self._tile.values)
        box = find_touched(body, bounds, tensor.name).get(tensor.name)
        lows, dimensions = [], []
        for side in box.bounds if box else ():
            if side.low is None or side.high is None:
                text = f"{tensor.name} is accessed over an unbounded domain"
                raise Illegal(f"{text}; legal: to clamp the coordinate", at)
            low, extent = by(side.low), by(add(sub(side.high, side.low), 1))
            if not isinstance(extent, Const):
                text = f"what the array touches of {tensor.name} differs in size from tile to tile"
                raise Illegal(f"{text}; legal: to bound it, or extents that divide", at)
            lows.append(low)
            dimensions.append(Dimension(const(0), extent))

        def places(old: tuple[Expr, ...]) -> tuple[Expr, ...]:
            return tuple(sub(place, low) for place, low in zip(old, lows, strict=True))

        moved = replace(tensor, dimensions=tuple(dimensions), order=())
        return with_places(body, tensor.name, places), moved, tuple(lows)

    def _place(self, name: str) -> Span | None:
        func = self._tile.funcs.get(func_and_component(name)[0])
        return None if func is None else func.at

    def _check_closed(self, body: Node) -> None:
        loops = {n.name for n in nodes(body) if isinstance(n, For)}
        outer = {loop.name: loop for loop in self._tile.outer}
        for store in nodes(body):
            if not isinstance(store, Store):
                continue
            for expr in (*store.subscripts, *store.values):
                for name in sorted(expr.variables - loops):
                    what = f"loop '{outer[name].var}'" if name in outer else f"'{name}'"
                    text = f"{store.func} depends on {what} outside of the accelerator"
                    raise Illegal(f"{text}: tiles differ by more than their place", store.at)


def _loaded(store: Store) -> set[str]:
    parts = (*store.subscripts, *store.values)
    return {n.tensor for e in parts for n in walk(e) if isinstance(n, Load)}


def with_stage(body: Node, stream: Tensor, output: bool) -> Node:
    """The body with a copy where the stream is not given or taken by one copy only."""
    users = [s for s in nodes(body) if isinstance(s, Store)]
    loading = [s for s in users if stream.name in _loaded(s)]
    if output:
        storing = {(s.tensor, s.stage) for s in users if s.tensor == stream.name}
        if len(storing) == 1 and not loading:
            return body
    elif len({s.tensor for s in loading}) == 1 and all(_copies(s.values[0]) for s in loading):
        return body
    buffer = replace(stream, name=f"{stream.name}$copy", memory="Auto")
    inside = rename_tensor(body, stream.name, buffer.name)
    ends = (buffer.name, stream.name) if output else (stream.name, buffer.name)
    copied = copy_elements(*ends, stream)
    return Allocate(buffer, block([inside, copied] if output else [copied, inside]))


def _copies(value: Expr) -> bool:
    """Whether it is an element, taken by places that grow in equal steps."""
    return isinstance(value, Load) and not any(
        isinstance(n, Load) or (isinstance(n, Binary) and n.op in _UNEVEN)
        for s in value.subscripts
        for n in walk(s)
    )


def copy_elements(source: str, target: str, like: Tensor) -> Node:
    """Loops that copy all elements of a tensor from one to another of its shape."""
    places = tuple(var(f"{target}.s0.d{k}") for k in range(len(like.dimensions)))
    value = Load(like.types[0], source, places)
    node: Node = Store(target, places, (value,), func=target)
    for k, dimension in enumerate(like.dimensions):
        name = f"{target}.s0.d{k}"
        node = For(name, const(0), dimension.extent, "serial", node, target, 0, f"d{k}")
    return node


def rename_tensor(node: Node, old: str, new: str) -> Node:
    """The nest with another name of a tensor in all loads and stores."""

    def read(part: Expr) -> Expr:
        ours = isinstance(part, Load) and part.tensor == old
        return replace(part, tensor=new) if ours and isinstance(part, Load) else part

    def write(node: Node) -> Node:
        if not isinstance(node, Store):
            return map_children(node, write)
        subscripts = tuple(transform(e, read) for e in node.subscripts)
        values = tuple(transform(e, read) for e in node.values)
        target = new if node.tensor == old else node.tensor
        return replace(node, tensor=target, subscripts=subscripts, values=values)

    return write(node)
