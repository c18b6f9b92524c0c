"""The values of a pipeline straight from its definitions: no schedule, no lowering.

A Func is defined everywhere; what is asked for is a box of it. The pure definition is evaluated
over the box at once (one axis of numpy's arrays for each pure variable), then the updates one
iteration of the reduction domain after the other, each over all its pure variables at once. Boxes
are found by looking at the subscripts that really occur, and are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product

import numpy as np

from s2s.frontends.halide.pipeline import Definition, Func, Image, Pipeline, ReductionVariable
from s2s.scop.expressions import (
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Let,
    Load,
    Select,
    Unary,
    Variable,
    substitute,
    transform,
    walk,
)
from tests.halide.arithmetic import Values, binary, call, cast
from tests.halide.compiled import dtype
from tests.halide.oracle import Array

Box = tuple[tuple[int, int], ...]
"""For each dimension the first and the last coordinate."""


@dataclass
class Realization:
    """The elements of a Func over a box; the first dimension is the first axis."""

    box: Box
    components: list[Values]


class Outside(Exception):
    """An element beyond an input image is read, or beyond the box of a Func being updated."""

    def __init__(self, name: str, box: Box) -> None:
        super().__init__(f"{name} is read over {box}")
        self.name = name
        self.box = box


@dataclass
class Direct:
    """Evaluates one pipeline on given inputs and scalars."""

    pipeline: Pipeline
    inputs: Mapping[str, Array]
    scalars: Mapping[str, int | float] = field(default_factory=dict)
    _known: dict[str, Realization] = field(default_factory=dict)

    def output(self, name: str, minima: tuple[int, ...], extents: tuple[int, ...]) -> list[Array]:
        """The components of an output over a box, first dimension last as in ``Array``."""
        box = tuple((m, m + e - 1) for m, e in zip(minima, extents, strict=True))
        made = self.realize(self.pipeline.funcs[name], box)
        shift = tuple(
            slice(low - start, high - start + 1)
            for (low, high), (start, _) in zip(box, made.box, strict=True)
        )
        return [Array(np.ascontiguousarray(c[shift].T), minima) for c in made.components]

    def realize(self, func: Func, box: Box) -> Realization:
        """The Func over at least ``box``."""
        known = self._known.get(func.name)
        if known is not None and covers(known.box, box):
            return known
        if known is not None:
            box = joined(known.box, box)
        while True:
            try:
                made = self._compute(func, box)
                break
            except Outside as beyond:
                if beyond.name != func.name:
                    raise
                box = joined(box, beyond.box)
        self._known[func.name] = made
        return made

    def _compute(self, func: Func, box: Box) -> Realization:
        shape = tuple(high - low + 1 for low, high in box)
        made = Realization(box, [np.zeros(shape, dtype(t)) for t in func.types])
        assert func.definition is not None
        values = self._axes(func.vars, box)
        context = _Evaluation(self, values)
        results = [np.broadcast_to(context.value(e), shape) for e in func.definition.values]
        for component, result in zip(made.components, results, strict=True):
            component[...] = result
        for update in func.updates:
            self._update(func, made, update)
        return made

    def _axes(self, names: list[str], box: Box) -> dict[str, Values]:
        rank = len(names)
        found: dict[str, Values] = {}
        for axis, (name, (low, high)) in enumerate(zip(names, box, strict=True)):
            shape = [1] * rank
            shape[axis] = high - low + 1
            found[name] = np.arange(low, high + 1, dtype=np.int32).reshape(shape)
        return found

    def _update(self, func: Func, made: Realization, update: Definition) -> None:
        pure = {
            d: a.name
            for d, a in enumerate(update.args)
            if isinstance(a, Variable) and a.name == func.vars[d]
        }
        values: dict[str, Values] = {}
        for d, name in pure.items():
            low, high = made.box[d]
            shape = [1] * len(made.box)
            shape[d] = high - low + 1
            values[name] = np.arange(low, high + 1, dtype=np.int32).reshape(shape)
        self._prefetch(func, update, values)
        for point in self._points(update.rvars):
            context = _Evaluation(self, {**values, **point}, made, func.name)
            self._assign(made, update, pure, context)

    def _prefetch(self, func: Func, update: Definition, values: dict[str, Values]) -> None:
        """The boxes that all iterations together read, where no value decides them."""
        if not update.rvars:
            return
        rank = max((v.ndim for v in values.values()), default=0)
        domain = {}
        for axis, rvar in enumerate(update.rvars):
            low, count = self._limits(rvar)
            if count <= 0:
                return
            shape = (count, *([1] * (axis + rank)))
            domain[rvar.name] = np.arange(low, low + count, dtype=np.int32).reshape(shape)
        context = _Evaluation(self, {**values, **domain})
        for expr in (*update.values, *update.args):
            for node in walk(expr):
                if isinstance(node, Load) and node.tensor in self.pipeline.funcs:
                    inner = [n for s in node.subscripts for n in walk(s)]
                    if node.tensor != func.name and not any(isinstance(n, Load) for n in inner):
                        self.realize(self.pipeline.funcs[node.tensor], context.box(node))

    def _limits(self, rvar: ReductionVariable) -> tuple[int, int]:
        context = _Evaluation(self, {})
        return int(context.value(rvar.minimum)), int(context.value(rvar.extent))

    def _points(self, rvars: list[ReductionVariable]) -> Iterator[dict[str, Values]]:
        """The domain in order: the first variable runs fastest."""
        limits = [self._limits(r) for r in rvars]
        ranges = [range(low, low + count) for low, count in reversed(limits)]
        names = [r.name for r in reversed(rvars)]
        for point in product(*ranges):
            yield {n: np.asarray(v, np.int32) for n, v in zip(names, point, strict=True)}

    def _assign(
        self, made: Realization, update: Definition, pure: dict[int, str], context: _Evaluation
    ) -> None:
        rank = len(made.box)
        holds: Values = np.asarray(True)
        if update.predicate is not None:
            holds = context.value(update.predicate)
            if not holds.any():
                return
        places = [context.value(a) for a in update.args]
        results = [context.value(v) for v in update.values]
        shape = np.broadcast_shapes(*(p.shape for p in places), holds.shape)
        shape = np.broadcast_shapes(shape, *(r.shape for r in results))
        if len(shape) < rank:
            shape = (1,) * (rank - len(shape)) + shape
        inside = np.broadcast_to(holds, shape)
        index = []
        for place, (low, high) in zip(places, made.box, strict=True):
            inside = inside & (place >= low) & (place <= high)
            index.append(np.broadcast_to(place, shape) - low)
        chosen = tuple(i[inside] for i in index)
        for component, result in zip(made.components, results, strict=True):
            stored = np.broadcast_to(result, shape)[inside]
            component[chosen] = stored if chosen else stored.reshape(())

    def image_box(self, image: Image) -> tuple[Box, Values]:
        if image.data is not None:
            values = np.array(image.data, dtype(image.type)).T
            minima = image.minima or (0,) * values.ndim
        else:
            values, minima = self.inputs[image.name].values.T, self.inputs[image.name].minima
        return tuple((m, m + s - 1) for m, s in zip(minima, values.shape, strict=True)), values


def covers(outer: Box, inner: Box) -> bool:
    return all(a <= c and d <= b for (a, b), (c, d) in zip(outer, inner, strict=True))


def joined(one: Box, other: Box) -> Box:
    return tuple((min(a, c), max(b, d)) for (a, b), (c, d) in zip(one, other, strict=True))


@dataclass
class _Evaluation:
    """Expressions over values of variables; ``own`` is the state of the Func that is updated."""

    direct: Direct
    variables: dict[str, Values]
    own: Realization | None = None
    name: str = ""
    _done: dict[Expr, Values] = field(default_factory=dict)

    def value(self, expr: Expr) -> Values:
        closed = _closed(expr)
        for node in walk(closed):
            if node not in self._done:
                self._done[node] = self._compute(node)
        return self._done[closed]

    def _compute(self, node: Expr) -> Values:
        match node:
            case Const(kind, value):
                return np.asarray(value, dtype(kind))
            case Variable():
                return self._variable(node)
            case Cast(kind, value):
                return cast(kind, value.type, self.value(value))
            case Binary(_, op, left, right):
                return binary(op, left.type, self.value(left), self.value(right))
            case Unary(_, _, value):
                return np.asarray(~self.value(value))
            case Select(_, condition, then, otherwise):
                test = self.value(condition)
                return np.where(test, self.value(then), self.value(otherwise))
            case Call(kind, name, arguments):
                types = [a.type for a in arguments]
                return call(name, kind, types, [self.value(a) for a in arguments])
            case Load():
                return self._load(node)
        raise NotImplementedError(type(node).__name__)

    def _variable(self, node: Variable) -> Values:
        if node.name in self.variables:
            return self.variables[node.name]
        if node.name in self.direct.scalars:
            return np.asarray(self.direct.scalars[node.name], dtype(node.type))
        if node.name in self.direct.pipeline.scalars:
            default = self.direct.pipeline.scalars[node.name].default
            assert default is not None, node.name
            return np.asarray(default, dtype(node.type))
        return np.asarray(self._extent_of_image(node.name), np.int32)

    def _extent_of_image(self, name: str) -> int:
        """``input.min.0``, ``input.extent.1``, ``input.stride.2``."""
        tensor, what, dimension = name.rsplit(".", 2)
        box, _ = self.direct.image_box(self.direct.pipeline.images[tensor])
        low, high = box[int(dimension)]
        if what == "min":
            return low
        if what == "extent":
            return high - low + 1
        sizes = [b - a + 1 for a, b in box[: int(dimension)]]
        return int(np.prod(sizes, dtype=np.int64))

    def box(self, load: Load) -> Box:
        places = [self.value(s) for s in load.subscripts]
        return tuple((int(p.min()), int(p.max())) for p in places)

    def _load(self, load: Load) -> Values:
        places = [self.value(s) for s in load.subscripts]
        wanted = tuple((int(p.min()), int(p.max())) for p in places)
        funcs = self.direct.pipeline.funcs
        if load.tensor == self.name and self.own is not None:
            have, values = self.own.box, self.own.components[load.component]
            if not covers(have, wanted):
                raise Outside(load.tensor, wanted)
        elif load.tensor in funcs:
            made = self.direct.realize(funcs[load.tensor], wanted)
            have, values = made.box, made.components[load.component]
        else:
            have, values = self.direct.image_box(self.direct.pipeline.images[load.tensor])
            if not covers(have, wanted):
                raise Outside(load.tensor, wanted)
        if not places:
            return values
        return np.asarray(values[tuple(p - low for p, (low, _) in zip(places, have, strict=True))])


@cache
def _closed(expr: Expr) -> Expr:
    """The expression with every name of a ``Let`` put in."""

    def put_in(node: Expr) -> Expr:
        if isinstance(node, Let):
            return substitute(node.body, {node.name: node.value})
        return node

    return transform(expr, put_in)
