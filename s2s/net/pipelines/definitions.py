"""The values of a pipeline straight from its definitions: no schedule, no lowering.

A Func is defined everywhere; what is asked for is a box of it. The pure definition is evaluated
over the box at once (one axis of numpy's arrays for each pure variable), then the updates: those
that only add to what is there many iterations of the reduction domain at once, all others one
iteration after the other, each over all its pure variables at once. Boxes are found by looking at
the subscripts that really occur, and are kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Protocol

import numpy as np

from s2s.net.pipelines.arrays import Array, Values, dtype, widen_held
from s2s.net.pipelines.boxes import (
    Box,
    Domain,
    Outside,
    Realization,
    axes,
    covers,
    domain_axes,
    double_box,
    joined,
    points,
    volume,
)
from s2s.net.pipelines.evaluation import Evaluation
from s2s.net.pipelines.updates import Update, as_update
from s2s.scop.expressions import (
    Expr,
    Load,
    Variable,
    walk,
)
from s2s.scop.pipeline import Definition, Func, Image, Pipeline
from s2s.source.records import dataclass

_LARGEST = 1 << 23
"""Elements of a box."""
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
        if any(unset[shift].any() for unset in made.unset):
            self.undefined = True
        return [Array(np.ascontiguousarray(c[shift].T), minima) for c in made.components]

    def value(self, expr: Expr) -> Values:
        """An expression over the scalars."""
        return Evaluation(self, {}).value(expr)

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
                box = double_box(box, asked)

    def _compute(self, func: Func, box: Box) -> Realization:
        shape = tuple(high - low + 1 for low, high in box)
        if volume(box) > _LARGEST:
            raise TooMuch
        made = Realization(
            box,
            [np.zeros(shape, dtype(widen_held(t))) for t in func.types],
            [np.zeros(shape, np.bool_) for _ in func.types],
        )
        assert func.definition is not None
        context = Evaluation(self, axes(dict(enumerate(func.vars)), box))
        results = [np.broadcast_to(context.value(e), shape) for e in func.definition.values]
        for component, result in zip(made.components, results, strict=True):
            component[...] = result
        for place, value in enumerate(func.definition.values):
            made.unset[place] = np.broadcast_to(~context.defined(value), shape).copy()
        for update in func.updates:
            self._update(func, made, update)
        return made

    def _update(self, func: Func, made: Realization, update: Definition) -> None:
        pure = {
            d: a.name
            for d, a in enumerate(update.args)
            if isinstance(a, Variable) and a.name == func.vars[d]
        }
        values = axes(pure, made.box)
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
        inner = domain_axes(domain[:together], rank)
        for point in points(domain[together:]):
            context = Evaluation(self, {**values, **inner, **point}, made, func.name)
            self._assign(made, update, kind if together else None, context)

    def _prefetch(
        self,
        func: Func,
        update: Definition,
        values: dict[str, Values],
        domain: Domain,
    ) -> None:
        """The boxes that all iterations together read, where no value decides them."""
        if not domain:
            return
        rank = max((v.ndim for v in values.values()), default=0)
        context = Evaluation(self, {**values, **domain_axes(domain, rank)})
        for expr in (*update.values, *update.args):
            for node in walk(expr):
                if isinstance(node, Load) and node.tensor in self.pipeline.funcs:
                    inner = [n for s in node.subscripts for n in walk(s)]
                    if node.tensor != func.name and not any(isinstance(n, Load) for n in inner):
                        self.realize(self.pipeline.funcs[node.tensor], context.box(node))

    def _limits(self, minimum: Expr, extent: Expr) -> tuple[int, int]:
        return int(self.value(minimum)), int(self.value(extent))

    def _assign(
        self, made: Realization, update: Definition, kind: Update | None, context: Evaluation
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
        values = update.values if kind is None else [kind.value]
        results = [context.value(v) for v in values]
        shape = np.broadcast_shapes(inside.shape, *(r.shape for r in results))
        if len(shape) < len(made.box):
            shape = (1,) * (len(made.box) - len(shape)) + shape
        index = [
            np.broadcast_to(place, shape) - low
            for place, (low, _) in zip(places, made.box, strict=True)
        ]
        self.spend(20 * int(np.prod(shape, dtype=np.int64)))
        for k, (value, result) in enumerate(zip(update.values, results, strict=True)):
            given = np.broadcast_to(inside & context.defined(value), shape)
            stored = np.broadcast_to(result, shape)[given]
            chosen = tuple(i[given] for i in index)
            made.store(k, chosen, stored, None if kind is None else kind.add)

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
    return np.array(image.data, dtype(widen_held(image.type))).T
