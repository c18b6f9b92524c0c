"""The values of a pipeline straight from its definitions: no schedule, no lowering.

A Func is defined everywhere; what is asked for is a box of it. The pure definition is evaluated
over the box at once (one axis of numpy's arrays for each pure variable), then the updates: those
that only add to what is there many iterations of the reduction domain at once, all others one
iteration after the other, each over all its pure variables at once. Boxes are found by looking at
the subscripts that really occur, and are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Protocol

import numpy as np

from s2s.frontends.halide.pipeline import Definition, Func, Image, Pipeline
from s2s.net.pipelines.arithmetic import binary, call, cast
from s2s.net.pipelines.arrays import Array, Values, dtype
from s2s.net.pipelines.updates import Update, as_update
from s2s.scop.expressions import (
    BOOL,
    INT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Let,
    Load,
    Select,
    Type,
    Unary,
    Variable,
    substitute,
    transform,
    walk,
)

Box = tuple[tuple[int, int], ...]
"""For each dimension the first and the last coordinate."""

_LARGEST = 1 << 23
"""Elements of a box."""
_PER_NODE, _PER_ELEMENT, _PER_EXACT = 3_000, 2, 600
"""What evaluating a node costs, about in nanoseconds: in any case, and for each element, by numpy
and by Python's integers."""
INT64 = Type("int", 64)
_OVERFLOWS = frozenset(("add", "sub", "mul"))
_MOST_AT_ONCE = 1 << 18
"""Iterations of an update times elements."""


class Source(Protocol):
    """Where the elements of an input come from."""

    @property
    def minima(self) -> tuple[int, ...]: ...

    @property
    def extents(self) -> tuple[int, ...]: ...

    def at(self, places: list[Values]) -> Values:
        """The elements at coordinates, whether or not these are inside."""


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


class TooMuch(Exception):
    """The values asked for take more work than is allowed."""


@dataclass
class Direct:
    """Evaluates one pipeline on given inputs and scalars.

    ``limit`` is the most work, about in nanoseconds; ``work`` what there was so far. ``undefined``:
    whether something was computed that has no defined value, a float beyond an integer type, say.
    """

    pipeline: Pipeline
    inputs: Mapping[str, Array | Source]
    scalars: Mapping[str, int | float] = field(default_factory=dict)
    limit: float = float("inf")
    work: float = 0.0
    undefined: bool = False
    _known: dict[str, list[Realization]] = field(default_factory=dict)

    def output(self, name: str, minima: tuple[int, ...], extents: tuple[int, ...]) -> list[Array]:
        """The components of an output over a box, first dimension last as in ``Array``."""
        box = tuple((m, m + e - 1) for m, e in zip(minima, extents, strict=True))
        made = self.realize(self.pipeline.funcs[name], box)
        shift = tuple(
            slice(low - start, high - start + 1)
            for (low, high), (start, _) in zip(box, made.box, strict=True)
        )
        return [Array(np.ascontiguousarray(c[shift].T), minima) for c in made.components]

    def value(self, expr: Expr) -> Values:
        """An expression over the scalars."""
        return _Evaluation(self, {}).value(expr)

    def spend(self, work: float) -> None:
        """Count work; raises TooMuch."""
        self.work += work
        if self.work > self.limit:
            raise TooMuch

    def realize(self, func: Func, box: Box) -> Realization:
        """The Func over at least ``box``."""
        known = self._known.setdefault(func.name, [])
        for each in known:
            if covers(each.box, box):
                return each
        for each in known:
            both = joined(each.box, box)
            if volume(both) <= 2 * (volume(each.box) + volume(box)):
                box = both
        made = self._grown(func, box)
        known[:] = [each for each in known if not covers(made.box, each.box)] + [made]
        return made

    def _grown(self, func: Func, box: Box) -> Realization:
        """The Func over ``box``, and as far beyond as its updates read of it."""
        asked = box
        while True:
            try:
                return self._compute(func, box)
            except Outside as beyond:
                if beyond.name != func.name:
                    raise
                asked = joined(box, beyond.box)
                box = _doubled(box, asked)

    def _compute(self, func: Func, box: Box) -> Realization:
        shape = tuple(high - low + 1 for low, high in box)
        if volume(box) > _LARGEST:
            raise TooMuch
        made = Realization(box, [np.zeros(shape, dtype(t)) for t in func.types])
        assert func.definition is not None
        context = _Evaluation(self, _axes(dict(enumerate(func.vars)), box))
        results = [np.broadcast_to(context.value(e), shape) for e in func.definition.values]
        for component, result in zip(made.components, results, strict=True):
            component[...] = result
        for update in func.updates:
            self._update(func, made, update)
        return made

    def _update(self, func: Func, made: Realization, update: Definition) -> None:
        pure = {
            d: a.name
            for d, a in enumerate(update.args)
            if isinstance(a, Variable) and a.name == func.vars[d]
        }
        values = _axes(pure, made.box)
        limits = [self._limits(r.minimum, r.extent) for r in update.rvars]
        if any(count <= 0 for _, count in limits):
            return
        domain = list(zip((r.name for r in update.rvars), limits, strict=True))
        self._prefetch(func, update, values, domain)
        kind = as_update(func, update)
        size = int(np.prod([volume(made.box[d : d + 1]) for d in pure], dtype=np.int64))
        together = 0
        if kind is not None:
            while together < len(limits) and size * limits[together][1] <= _MOST_AT_ONCE:
                size *= limits[together][1]
                together += 1
        rank = max((v.ndim for v in values.values()), default=0)
        inner = _domain_axes(domain[:together], rank)
        for point in _points(domain[together:]):
            context = _Evaluation(self, {**values, **inner, **point}, made, func.name)
            self._assign(made, update, kind if together else None, context)

    def _prefetch(
        self,
        func: Func,
        update: Definition,
        values: dict[str, Values],
        domain: list[tuple[str, tuple[int, int]]],
    ) -> None:
        """The boxes that all iterations together read, where no value decides them."""
        if not domain:
            return
        rank = max((v.ndim for v in values.values()), default=0)
        context = _Evaluation(self, {**values, **_domain_axes(domain, rank)})
        for expr in (*update.values, *update.args):
            for node in walk(expr):
                if isinstance(node, Load) and node.tensor in self.pipeline.funcs:
                    inner = [n for s in node.subscripts for n in walk(s)]
                    if node.tensor != func.name and not any(isinstance(n, Load) for n in inner):
                        self.realize(self.pipeline.funcs[node.tensor], context.box(node))

    def _limits(self, minimum: Expr, extent: Expr) -> tuple[int, int]:
        return int(self.value(minimum)), int(self.value(extent))

    def _assign(
        self, made: Realization, update: Definition, kind: Update | None, context: _Evaluation
    ) -> None:
        """The instances of an update that ``context`` has, in the order of its axes."""
        holds: Values = np.asarray(True)
        if update.predicate is not None:
            holds = context.value(update.predicate)
            if not holds.any():
                return
        places = [context.value(a) for a in update.args]
        inside = holds
        for place, (low, high) in zip(places, made.box, strict=True):
            inside = inside & (place >= low) & (place <= high)
        if not inside.any():
            return
        sources = update.values if kind is None else [kind.value]
        results = [context.value(v) for v in sources]
        shape = np.broadcast_shapes(inside.shape, *(r.shape for r in results))
        if len(shape) < len(made.box):
            shape = (1,) * (len(made.box) - len(shape)) + shape
        inside = np.broadcast_to(inside, shape)
        self.spend(20 * inside.size)
        chosen = tuple(
            (np.broadcast_to(place, shape) - low)[inside]
            for place, (low, _) in zip(places, made.box, strict=True)
        )
        chosen = chosen or (np.zeros(np.count_nonzero(inside), np.intp),)
        for component, result in zip(made.components, results, strict=True):
            stored = np.broadcast_to(result, shape)[inside]
            elements = component if component.ndim else component.reshape(1)
            if kind is not None and kind.add is not None:
                getattr(np, kind.add).at(elements, chosen, stored)
            else:
                elements[chosen] = stored

    def image_box(self, image: Image) -> Box:
        """Where an image has elements."""
        if image.data is not None:
            shape, minima = _table(self, image).shape, image.minima
        else:
            source = self.inputs[image.name]
            shape, minima = source.extents, source.minima
        minima = minima or (0,) * len(shape)
        return tuple((m, m + s - 1) for m, s in zip(minima, shape, strict=True))

    def image(self, image: Image, places: list[Values]) -> Values:
        """Elements of an image."""
        source = None if image.data is not None else self.inputs[image.name]
        if source is not None and not isinstance(source, Array):
            return source.at(places)
        values = _table(self, image) if source is None else source.values.T
        box = self.image_box(image)
        wanted = tuple((int(p.min()), int(p.max())) for p in places)
        if not covers(box, wanted) and source is not None:
            raise Outside(image.name, wanted)
        index = (np.clip(p, low, high) - low for p, (low, high) in zip(places, box, strict=True))
        return np.asarray(values[tuple(index)])


def _table(direct: Direct, image: Image) -> Values:
    """The elements of an image that the program fills."""
    return np.array(image.data, dtype(image.type)).T


def _axes(names: Mapping[int, str], box: Box) -> dict[str, Values]:
    """The values of variables by the dimension that each runs over."""
    found: dict[str, Values] = {}
    for d, name in names.items():
        low, high = box[d]
        shape = [1] * len(box)
        shape[d] = high - low + 1
        found[name] = np.arange(low, high + 1, dtype=np.int32).reshape(shape)
    return found


def _domain_axes(domain: list[tuple[str, tuple[int, int]]], rank: int) -> dict[str, Values]:
    """Reduction variables as axes in front of ``rank`` others, the last variable outermost."""
    found: dict[str, Values] = {}
    for axis, (name, (low, count)) in enumerate(domain):
        shape = (count, *([1] * (axis + rank)))
        found[name] = np.arange(low, low + count, dtype=np.int32).reshape(shape)
    return found


def _points(domain: list[tuple[str, tuple[int, int]]]) -> Iterator[dict[str, Values]]:
    """The domain in order: the first variable runs fastest."""
    ranges = [range(low, low + count) for _, (low, count) in reversed(domain)]
    names = [name for name, _ in reversed(domain)]
    for point in product(*ranges):
        yield {n: np.asarray(v, np.int32) for n, v in zip(names, point, strict=True)}


def covers(outer: Box, inner: Box) -> bool:
    return all(a <= c and d <= b for (a, b), (c, d) in zip(outer, inner, strict=True))


def joined(one: Box, other: Box) -> Box:
    return tuple((min(a, c), max(b, d)) for (a, b), (c, d) in zip(one, other, strict=True))


def volume(box: Box) -> int:
    """How many elements a box has."""
    total = 1
    for low, high in box:
        total *= high - low + 1
    return total


def _doubled(box: Box, asked: Box) -> Box:
    """``asked``, and twice as much as the box has where it goes beyond: recurrences reach far."""
    found = []
    for (low, high), (first, last) in zip(box, asked, strict=True):
        extent = high - low + 1
        lowest = min(first, low - extent) if first < low else low
        highest = max(last, high + extent) if last > high else high
        found.append((lowest, highest))
    return tuple(found)


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
                self._done[node] = found = self._compute(node)
                self.direct.spend(_PER_NODE + _PER_ELEMENT * found.size)
        return self._done[closed]

    def _compute(self, node: Expr) -> Values:
        match node:
            case Const(kind, value):
                return np.asarray(value, dtype(kind))
            case Variable():
                return self._variable(node)
            case Cast(kind, value):
                return self._cast(kind, value)
            case Binary(_, op, left, right):
                return self._binary(op, left.type, self.value(left), self.value(right))
            case Unary(_, _, value):
                return np.asarray(~self.value(value))
            case Select(_, condition, then, otherwise):
                test = self.value(condition)
                return np.where(test, self.value(then), self.value(otherwise))
            case Call(kind, name, arguments):
                values = [self.value(a) for a in arguments]
                size = np.broadcast_shapes(*(v.shape for v in values))
                self.direct.spend(_PER_EXACT * int(np.prod(size, dtype=np.int64)))
                return call(name, kind, [a.type for a in arguments], values)
            case Load():
                return self._load(node)
        raise NotImplementedError(type(node).__name__)

    def _binary(self, op: str, kind: Type, left: Values, right: Values) -> Values:
        """Computed; overflow of int32 has no defined value."""
        found = binary(op, kind, left, right)
        if kind == INT32 and op in _OVERFLOWS and not self.direct.undefined:
            exact = binary(op, INT64, left.astype(np.int64), right.astype(np.int64))
            self.direct.undefined = bool((exact != found).any())
        return found

    def _cast(self, kind: Type, operand: Expr) -> Values:
        """Converted; a float that the integer type does not hold has no defined value."""
        value = self.value(operand)
        if operand.type.is_float and kind.is_integer and kind != BOOL:
            whole = np.trunc(value)
            if not ((whole >= kind.smallest) & (whole <= kind.largest)).all():
                self.direct.undefined = True
        return cast(kind, operand.type, value)

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
        box = self.direct.image_box(self.direct.pipeline.images[tensor])
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
        funcs = self.direct.pipeline.funcs
        own = load.tensor == self.name and self.own is not None
        if not own and load.tensor not in funcs:
            return self.direct.image(self.direct.pipeline.images[load.tensor], places)
        wanted = tuple((int(p.min()), int(p.max())) for p in places)
        if own:
            assert self.own is not None
            made = self.own
            if not covers(made.box, wanted):
                raise Outside(load.tensor, wanted)
        else:
            made = self.direct.realize(funcs[load.tensor], wanted)
        values = made.components[load.component]
        if not places:
            return values
        index = tuple(p - low for p, (low, _) in zip(places, made.box, strict=True))
        return np.asarray(values[index])


@cache
def _closed(expr: Expr) -> Expr:
    """The expression with every name of a ``Let`` put in."""

    def put_in(node: Expr) -> Expr:
        if isinstance(node, Let):
            return substitute(node.body, {node.name: node.value})
        return node

    return transform(expr, put_in)
