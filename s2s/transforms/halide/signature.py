"""What the caller passes to a lowered pipeline: scalars and tensors, with the regions they need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from s2s.scop.build import add, both, const, le, sub, var
from s2s.scop.errors import Illegal
from s2s.scop.expressions import INT32, Const, Expr, Type
from s2s.scop.nest import Argument, Check, Dimension, Node, Tensor, expressions, walk
from s2s.scop.notation import written
from s2s.scop.pipeline import Func, Image, Pipeline
from s2s.scop.rewrite import substitute
from s2s.scop.simplify.interval import Interval, ValueBounds
from s2s.scop.simplify.intervals import Bounds
from s2s.scop.simplify.simplify import Simplifier
from s2s.source import Span
from s2s.transforms.halide.boxes import Box, find_loaded, find_touched

Sizes = Mapping[str, Sequence[int | tuple[int, int]]]
"""Extents by dimension, or (minimum, extent), of outputs and input images by name."""


def given_bounds(pipeline: Pipeline, sizes: Sizes, *, strided: bool = False) -> dict[str, Expr]:
    """Values of ``f.min.0`` and ``f.extent.0`` (outputs, images) that are known beforehand.

    An output's minimum is 0 unless given, or the caller's (``strided``). Raises Illegal for sizes
    that do not fit.
    """
    found: dict[str, Expr] = {}
    for name, rank in _ranks(pipeline).items():
        for place in range(rank):
            minimum, extent = _known(pipeline, sizes, name, place, rank)
            if minimum is None and name in pipeline.outputs and not strided:
                minimum = const(0)
            if minimum is not None:
                found[f"{name}.min.{place}"] = minimum
            if extent is not None:
                found[f"{name}.extent.{place}"] = extent
    return _resolved(found)


def _resolved(known: dict[str, Expr]) -> dict[str, Expr]:
    """The values in terms of what is not known; those that need themselves keep their names."""
    for _ in range(_DEEPEST):
        known = {name: substitute(value, known) for name, value in known.items()}
    return known


_DEEPEST = 4
"""How many sizes may be given by one another."""


def _ranks(pipeline: Pipeline) -> dict[str, int]:
    ranks = {name: image.rank for name, image in pipeline.images.items()}
    return ranks | {name: len(pipeline.funcs[name].vars) for name in pipeline.outputs}


def _declared(pipeline: Pipeline, name: str) -> Span | None:
    image = pipeline.images.get(name)
    return pipeline.funcs[name].at if image is None else image.at


def _known(
    pipeline: Pipeline, sizes: Sizes, name: str, place: int, rank: int
) -> tuple[Expr | None, Expr | None]:
    if name in sizes:
        if len(sizes[name]) != rank:
            given = f"{name} has {rank} dimensions, {len(sizes[name])} sizes are given"
            raise Illegal(given, _declared(pipeline, name))
        size = sizes[name][place]
        low, extent = (0, size) if isinstance(size, int) else size
        return const(low), const(extent)
    image = pipeline.images.get(name)
    if image is None:
        return None, None
    if image.data is not None:
        extents = _shape(image.data)
        return const(image.minima[place]), const(extents[len(extents) - 1 - place])
    minimum, extent_set, _ = image.bounds.get(place, (None, None, None))
    return minimum, extent_set


def _shape(data: object) -> list[int]:
    shape = []
    while isinstance(data, tuple | list):
        shape.append(len(data))
        data = data[0] if data else None
    return shape


def output_box(name: str, rank: int, known: Mapping[str, Expr]) -> Box:
    """The region of an output."""
    bounds = []
    for place in range(rank):
        low = known.get(f"{name}.min.{place}", var(f"{name}.min.{place}"))
        extent = known.get(f"{name}.extent.{place}", var(f"{name}.extent.{place}"))
        bounds.append(Interval(low, sub(add(low, extent), 1)))
    return Box(tuple(bounds))


class Signature:
    """The arguments of a nest. ``checks``: that what the caller passes is large enough."""

    def __init__(
        self,
        pipeline: Pipeline,
        body: Node,
        known: Mapping[str, Expr],
        by: Simplifier,
        values: ValueBounds,
        strided: bool = False,
    ) -> None:
        self.pipeline, self.known, self.by = pipeline, dict(known), by
        self._strided = strided
        self.checks: list[Node] = []
        self.tables: list[Tensor] = []
        bounds = Bounds(by, {}, values)
        self._needed = find_loaded(body, bounds)
        self._touched = {
            name: find_touched(body, bounds, name).get(name) for name in pipeline.outputs
        }
        self._used = _variables(body) - known.keys()
        self.arguments = tuple(self._all())
        self.needs = tuple(self._regions()) if strided else ()

    def _all(self) -> Iterator[Argument]:
        tensors = [*self._inputs(), *self._outputs()]
        for scalar in self.pipeline.scalars.values():
            yield Argument(scalar.name, None, scalar.type)
        for name in self._free(tensors):
            yield Argument(name, None, INT32)
        yield from tensors

    def _free(self, tensors: list[Argument]) -> list[str]:
        """Bounds of tensors that only the caller knows, in the order of the tensors."""
        sides = (
            e.variables
            for a in tensors
            for d in (a.tensor.dimensions if a.tensor else ())
            for e in (d.minimum, d.extent, d.stride)
            if e is not None
        )
        used = self._used.union(*sides)
        places = {name: rank for name, rank in _ranks(self.pipeline).items()}
        wanted = (
            f"{name}.{side}.{place}"
            for name, rank in places.items()
            for side in ("min", "extent", "stride")
            for place in range(rank)
        )
        return [name for name in wanted if name in used]

    def _inputs(self) -> Iterator[Argument]:
        for image in self.pipeline.images.values():
            if image.name in self.pipeline.outputs:
                continue
            tensor = Tensor(image.name, (image.type,), self._dimensions(image), data=image.data)
            if image.data is None:
                yield Argument(image.name, tensor, image.type)
            else:
                self.tables.append(tensor)

    def _outputs(self) -> Iterator[Argument]:
        for name in self.pipeline.outputs:
            func = self.pipeline.funcs[name]
            box = output_box(name, len(func.vars), self.known)
            dimensions = tuple(
                replace(self._dimension(i), stride=self._stride(name, place))
                for place, i in enumerate(box.bounds)
            )
            self._check_output(func, box)
            types: tuple[Type, ...] = tuple(func.types)
            yield Argument(name, Tensor(name, types, dimensions), types[0], output=True)

    def _check_output(self, func: Func, box: Box) -> None:
        """Tiles that are moved inwards or made whole touch more than a small output has."""
        touched = self._touched[func.name]
        for place, side in enumerate(touched.bounds if touched is not None else ()):
            low, high = box.bounds[place].low, box.bounds[place].high
            if low is None or high is None or side.low is None or side.high is None:
                text = f"{func.name} is stored to over an unbounded domain in dimension {place}"
                raise Illegal(f"{text}; legal: to clamp the coordinate", func.at)
            condition = self.by(both(le(low, side.low), le(side.high, high)))
            if not isinstance(condition, Const):
                message = f"{func.name} is too small in dimension {place} for its schedule"
                self.checks.append(Check(condition, message))
            elif condition.value == 0:
                ends = [written(self.by(e)) for e in (low, high, side.low, side.high)]
                raise Illegal(
                    f"{func.name} has {ends[0]} to {ends[1]} in dimension {place}, its"
                    f" schedule computes {ends[2]} to {ends[3]}",
                    func.at,
                )

    def _dimension(self, interval: Interval) -> Dimension:
        assert interval.low is not None and interval.high is not None
        extent = add(sub(interval.high, interval.low), 1)
        return Dimension(self.by(interval.low), self.by(extent))

    def _dimensions(self, image: Image) -> tuple[Dimension, ...]:
        box = self._needed.get(image.name)
        found = []
        for place in range(image.rank):
            needed = None if box is None else box.bounds[place]
            dimension = self._input_dimension(image, place, needed)
            found.append(replace(dimension, stride=self._stride(image.name, place)))
        return tuple(found)

    def _stride(self, name: str, place: int) -> Expr | None:
        """The caller's, of all dimensions but the first, or what the program sets."""
        image = self.pipeline.images.get(name)
        if not self._strided or (image is not None and image.data is not None):
            return None
        stride = None if image is None else image.bounds.get(place, (None,) * 3)
        set_to = None if stride is None else stride[2]
        if set_to is not None or place == 0:
            return set_to
        return var(f"{name}.stride.{place}")

    def _regions(self) -> Iterator[Tensor]:
        """What is read of each input."""
        for image in self.pipeline.images.values():
            if image.name in self.pipeline.outputs or image.data is not None:
                continue
            box = self._needed.get(image.name)
            sides = () if box is None else box.bounds
            none = Dimension(const(0), const(0))
            found = [self._dimension(i) if i.low and i.high else none for i in sides]
            dimensions = tuple(found) if found else (none,) * image.rank
            yield Tensor(image.name, (image.type,), dimensions)

    def _input_dimension(self, image: Image, place: int, needed: Interval | None) -> Dimension:
        """As given, else what is needed; the caller's own if that depends on what it passes."""
        names = f"{image.name}.min.{place}", f"{image.name}.extent.{place}"
        low, extent = (self.known.get(name) for name in names)
        bounded = needed is not None and needed.low is not None and needed.high is not None
        own = self._strided or self._depends(image, place, needed)
        if bounded and low is None and extent is None and not own:
            assert needed is not None
            return self._dimension(needed)
        if needed is None and low is None and extent is None and not self._strided:
            return Dimension(const(0), const(1))
        if low is None:
            fixed = extent is not None and names[0] not in self._used and not self._strided
            low = const(0) if fixed else var(names[0])
        extent = var(names[1]) if extent is None else extent
        if needed is not None:
            self._check(image, place, needed, low, extent)
        return Dimension(self.by(low), self.by(extent))

    def _depends(self, image: Image, place: int, needed: Interval | None) -> bool:
        own = {f"{image.name}.{side}.{place}" for side in ("min", "extent")}
        return bool(own & self._used) or needed is None

    def _check(self, image: Image, place: int, needed: Interval, low: Expr, extent: Expr) -> None:
        if needed.low is None or needed.high is None:
            raise Illegal(
                f"{image.name} is accessed over an unbounded domain in dimension {place}; legal: "
                "to clamp the coordinate",
                image.at,
            )
        inside = both(le(low, needed.low), le(needed.high, sub(add(low, extent), 1)))
        condition = self.by(inside)
        if isinstance(condition, Const) and condition.value == 0:
            raise Illegal(
                f"{image.name} is accessed outside of its bounds in dimension {place}", image.at
            )
        if not isinstance(condition, Const):
            message = f"{image.name} is accessed outside of its bounds in dimension {place}"
            self.checks.append(Check(condition, message))


def _variables(body: Node) -> frozenset[str]:
    found: set[str] = set()
    for node in walk(body):
        for expr in expressions(node):
            found |= expr.variables
    return frozenset(found)
