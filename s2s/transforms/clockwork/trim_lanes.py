"""Iterations of unrolled lanes that would compute with what nobody computes.

Halide rounds a Func's loops up to its lanes (``TailStrategy::RoundUp``) but asks its producers for
what is needed alone: with 12 lanes a row of 602 elements takes 51 iterations, and the last lanes
of the last one read past the end of the input. Nothing that is needed depends on these elements.
On an array a word that was never written does not exist, so these lanes stop an iteration earlier::

    for x in 0..51 { f(12*x) = g(12*x) ...  f(12*x + 11) = g(12*x + 11) }      g has 604 elements
    for x in 0..51 { f(12*x) = ...  f(12*x + 3) = ... }  for x in 0..50 { f(12*x + 4) = ... ... }

and so do those that read what they no longer write, and reductions whose condition leaves their
last iterations out (``idle_iterations``). A stream that goes out is cut where a tile is no multiple
of its lanes; what is left has to be a box, otherwise the nest stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import groupby
from math import prod

from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.build import const, var
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Const, Expr, Load, Variable, walk
from s2s.scop.nest import Allocate, Argument, Dimension, For, Nest, Node, Store, children
from s2s.scop.nest import walk as nodes
from s2s.scop.rewrite import block, substitute_in
from s2s.source.records import dataclass
from s2s.transforms.clockwork.accesses import evaluate
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.idle_iterations import needed_iterations

Extents = Mapping[str, int]
"""Iterations of loops, by name."""


def trim_lanes(nest: Nest) -> Nest:
    """The nest without such iterations; the same nest where there are none."""
    accelerator = Accelerator(nest)
    try:
        trimmed = _Trimmed(accelerator)
        found = trimmed.extents()
    except (_Kept, MappingError):
        return nest
    if trimmed.missing is not None:
        operation, last = trimmed.missing
        text = f"{operation.store.tensor} adds elements beyond {last}, the last that there is, in"
        text += " lanes that do not divide the reduction, or iterations that its condition leaves"
        text += " out; legal: factors that do, a domain without condition"
        raise Illegal(text, operation.store.at)
    if not any(found):
        return nest
    names = {node.name for node in nodes(nest.body) if isinstance(node, For)}
    try:
        body = _Rebuilt(iter(found), names).body(nest.body)
    except _Kept:
        return nest
    arguments = tuple(map(trimmed.argument, nest.arguments))
    return replace(nest, body=body, arguments=arguments)


class _Kept(Exception):
    """The nest has to stay as it is."""


@dataclass
class _Trimmed:
    """How many iterations each operation keeps. ``limits``: greatest subscripts of each buffer, by
    dimension, with which every element was written.
    """

    accelerator: Accelerator
    limits: dict[str, list[int]] = field(default_factory=dict)
    missing: tuple[Operation, int] | None = None
    """A reduction that loads more than there is, under a condition, and the last that there is."""

    def extents(self) -> list[dict[str, int]]:
        """The loops of each operation, in program order, that get fewer iterations."""
        inner = {
            node.tensor.name
            for node in nodes(self.accelerator.nest.body)
            if isinstance(node, Allocate)
        }
        for operation in self.accelerator.operations:
            self._write(operation, inner | set(self.accelerator.outputs))
        found = [self._trim(operation) for operation in self.accelerator.operations]
        for name in self.accelerator.outputs:
            self._check_box(name, found)
        return found

    def argument(self, argument: Argument) -> Argument:
        """A stream as large as what is left of it."""
        if not argument.output or argument.tensor is None:
            return argument
        dimensions = [Dimension(const(0), const(n + 1)) for n in self.limits[argument.name]]
        return replace(argument, tensor=replace(argument.tensor, dimensions=tuple(dimensions)))

    def _check_box(self, name: str, found: Sequence[Extents]) -> None:
        """Raise _Kept where an output is cut, and not to a box."""
        own = [
            (operation, kept)
            for operation, kept in zip(self.accelerator.operations, found, strict=True)
            if operation.store.tensor == name
        ]
        words = sum(
            prod(kept.get(loop.name, e) for loop, e in zip(o.loops, o.extents, strict=True))
            for o, kept in own
        )
        if any(kept for _, kept in own) and words != prod(n + 1 for n in self.limits[name]):
            raise _Kept

    def _write(self, operation: Operation, inner: set[str]) -> None:
        tensor = operation.store.tensor
        if tensor in inner:
            last = _greatest(operation.store.subscripts, _last(operation, {}))
            before = self.limits.get(tensor, last)
            self.limits[tensor] = [max(a, b) for a, b in zip(before, last, strict=True)]

    def _trim(self, operation: Operation) -> dict[str, int]:
        kept = needed_iterations(operation)
        for load in operation.loads:
            for place, limit in enumerate(self.limits.get(load.tensor, ())):
                self._within(operation, load.subscripts[place], limit, kept)
        if kept and operation.store.tensor in self.limits:
            self._lose(operation, kept)
        return kept

    def _within(
        self, operation: Operation, subscript: Expr, limit: int, kept: dict[str, int]
    ) -> None:
        """Fewer iterations, until a subscript stays within a limit.

        Iterations of a reduction stay: what is not there is a load under a condition.
        """
        used = {node.name for node in walk(subscript) if isinstance(node, Variable)}
        placed = {name for each in operation.store.subscripts for name in each.variables}
        moving = [
            loop.name
            for loop, extent in zip(operation.loops, operation.extents, strict=True)
            if loop.name in used and extent > 1
        ]
        if not placed.issuperset(moving):
            adds = any(load.tensor == operation.store.tensor for load in operation.loads)
            if adds and _value(subscript, _last(operation, kept)) > limit:
                self.missing = self.missing or (operation, limit)
            return
        while _value(subscript, _last(operation, kept)) > limit:
            if len(moving) != 1:
                raise _Kept
            (name,) = moving
            kept[name] = kept.get(name, _extent(operation, name)) - 1
            if kept[name] < 1:
                raise _Kept

    def _lose(self, operation: Operation, kept: Extents) -> None:
        """Lower the limits of a buffer to what an operation still writes, and those below."""
        limits = self.limits[operation.store.tensor]
        for place, subscript in enumerate(operation.store.subscripts):
            now = {name: last + 1 for name, last in _last(operation, kept).items() if name in kept}
            if any(isinstance(n, Variable) and n.name in now for n in walk(subscript)):
                first_lost = _value(subscript, {**_last(operation, kept), **now})
                limits[place] = min(limits[place], first_lost - 1)


def _extent(operation: Operation, name: str) -> int:
    pairs = zip(operation.loops, operation.extents, strict=True)
    return next(extent for loop, extent in pairs if loop.name == name)


def _last(operation: Operation, kept: Extents) -> dict[str, int]:
    """The last values of the loops' variables."""
    triples = zip(operation.loops, operation.minima, operation.extents, strict=True)
    return {loop.name: low + kept.get(loop.name, e) - 1 for loop, low, e in triples}


def _value(subscript: Expr, values: Mapping[str, int]) -> int:
    return int(evaluate(subscript, values))


def _greatest(subscripts: Sequence[Expr], values: Mapping[str, int]) -> list[int]:
    return [_value(subscript, values) for subscript in subscripts]


@dataclass
class _Rebuilt:
    """The nest with loops split where their operations keep different numbers of iterations.

    ``kept`` gives the extents of each store in program order; ``names`` are those of all loops.
    """

    kept: Iterator[dict[str, int]]
    names: set[str]

    def body(self, node: Node) -> Node:
        """The whole body. Raises _Kept."""
        return self._joined(list(self._parts(node)))[0]

    def _parts(self, node: Node) -> Iterator[tuple[Node, dict[str, int]]]:
        """What runs one after the other, each with what it keeps of the loops around it."""
        if isinstance(node, Store):
            yield node, next(self.kept)
        elif isinstance(node, For):
            yield from self._loop(node)
        elif isinstance(node, Allocate):
            body, kept = self._joined(list(self._parts(node.body)))
            yield replace(node, body=body), kept
        else:
            for child in children(node):
                yield from self._parts(child)

    def _joined(self, parts: Sequence[tuple[Node, dict[str, int]]]) -> tuple[Node, dict[str, int]]:
        kept = parts[0][1]
        if any(own != kept for _, own in parts):
            raise _Kept
        return block([part for part, _ in parts]), kept

    def _loop(self, loop: For) -> Iterator[tuple[Node, dict[str, int]]]:
        """The loop in parts that keep the same iterations of all loops."""
        assert isinstance(loop.extent, Const)
        parts = list(self._parts(loop.body))
        groups = [
            (kept, [part for part, _ in group])
            for kept, group in groupby(parts, lambda part: part[1])
        ]
        if len(groups) > 1 and not _independent(loop.body):
            raise _Kept
        for number, (kept, bodies) in enumerate(groups):
            rest = dict(kept)
            extent = rest.pop(loop.name, int(loop.extent.value))
            yield self._renamed(loop, block(bodies), extent, first=number == 0), rest

    def _renamed(self, loop: For, body: Node, extent: int, *, first: bool) -> For:
        if first:
            return replace(loop, body=body, extent=const(extent))
        name, number = loop.name, 0
        while name in self.names:
            number += 1
            name = f"{loop.name}_{number}"
        self.names.add(name)
        body = substitute_in(body, {loop.name: var(name)})
        return replace(loop, name=name, body=body, extent=const(extent))


def _independent(body: Node) -> bool:
    """Whether all stores are to one buffer, and read of it what they write themselves."""
    stores = [node for node in nodes(body) if isinstance(node, Store)]
    return all(
        store.tensor == stores[0].tensor
        and all(
            load.subscripts == store.subscripts
            for value in store.values
            for load in walk(value)
            if isinstance(load, Load) and load.tensor == store.tensor
        )
        for store in stores
    )
