"""Calls of an emitted function: sizes, scalars and inputs for which its source has values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from s2s.net.pipelines.arrays import Array
from s2s.net.pipelines.definitions import Direct
from s2s.net.pipelines.noise import Mood, Noise
from s2s.net.pipelines.widths import Extents, has_fixed_outputs, others, vectors
from s2s.scop.expressions import BOOL, Type
from s2s.scop.nest import Argument, Check, Nest, Tensor, walk
from s2s.scop.pipeline import Pipeline, Scalar
from s2s.source.records import dataclass

_MOST = 1 << 17
"""Elements of an array whose size is ours to choose."""
_BOUNDS = ("min", "extent", "stride")


@dataclass(frozen=True)
class Place:
    """An array of a call: where it begins and how large it is, first dimension first."""

    argument: Argument
    minima: tuple[int, ...]
    extents: Extents

    @property
    def count(self) -> int:
        """How many elements there are."""
        total = 1
        for extent in self.extents:
            total *= extent
        return total


@dataclass(frozen=True)
class Case:
    """One call. ``failing``: the number of what the function has to refuse it for, from 1, else 0;
    ``sure``: whether that is known.
    """

    scalars: Mapping[str, int | float]
    places: tuple[Place, ...]
    inputs: Mapping[str, Noise | Array]
    failing: int
    sure: bool

    @property
    def outputs(self) -> list[Place]:
        return [place for place in self.places if place.argument.output]

    @property
    def shown(self) -> str:
        """The call in words."""
        sizes = (f"{p.argument.name} {'x'.join(map(str, p.extents)) or 1}" for p in self.outputs)
        return ", ".join(sizes)


class Cases:
    """The calls of a nest's function."""

    def __init__(self, pipeline: Pipeline, nest: Nest) -> None:
        self._pipeline, self._nest = pipeline, nest
        own = set(pipeline.scalars)
        self._free = [a.name for a in nest.arguments if a.tensor is None and a.name not in own]
        self._fixed = has_fixed_outputs(pipeline, nest)
        self._checks = [n.condition for n in walk(nest.body) if isinstance(n, Check)]

    def all(self) -> Iterator[Case]:
        """Calls that have results, the most telling first, and one for each reason to refuse."""
        found = False
        for extents in (vectors, others):
            for case in self._distinct(extents):
                found = found or not case.failing
                yield case
            if found:
                return

    def _distinct(self, extents: Callable[[Pipeline, str], Iterator[Extents]]) -> Iterator[Case]:
        names = self._pipeline.outputs
        sized = [extents(self._pipeline, name) for name in names]
        seen = set()
        for number, chosen in enumerate(zip(*sized, strict=False)):
            for case in self._tried(dict(zip(names, chosen, strict=True)), number):
                own = tuple(p.extents for p in case.places), number % len(Mood)
                key = case.failing or (own if self._fixed else own[0])
                small = self._fixed or all(p.count <= _MOST for p in case.places)
                if key not in seen and small:
                    seen.add(key)
                    yield case

    def _tried(self, extents: Mapping[str, Extents], number: int) -> Iterator[Case]:
        """Calls with these outputs, up to the one that is possible."""
        free = any(self._is_image(name) for name in self._free)
        for choice in range(len(_INPUTS) if free else 1):
            case = self._call(extents, number, choice)
            yield case
            if not case.failing:
                yield from self._beside(case, number)
                return

    def possible(self, extents: Mapping[str, Extents], number: int) -> Case | None:
        """The call with these extents of the outputs, None if there is none."""
        return next((c for c in self._tried(extents, number) if not c.failing), None)

    def _beside(self, case: Case, number: int) -> Iterator[Case]:
        """Calls with an input elsewhere or smaller, which the function mostly has to refuse."""
        for name in self._free if number == 0 else ():
            for step in (-1, 1):
                if self._is_image(name) and name.rsplit(".", 2)[1] != "stride":
                    scalars = {n: case.scalars[n] for n in (*self._free, *self._pipeline.scalars)}
                    other = self._with({**scalars, name: scalars[name] + step}, number)
                    if other.failing:
                        yield other

    def _is_image(self, name: str) -> bool:
        return name.rsplit(".", 2)[0] in self._pipeline.images

    def _call(self, extents: Mapping[str, Extents], number: int, choice: int) -> Case:
        scalars: dict[str, int | float] = {
            name: scalar_value(scalar, number) for name, scalar in self._pipeline.scalars.items()
        }
        first = next(iter(extents.values()))
        for name in self._free:
            tensor, side, d = name.rsplit(".", 2)
            place = int(d)
            if side == "min":
                scalars[name] = 0
            elif side == "stride":
                scalars[name] = _dense(scalars, tensor, place)
            elif tensor in extents:
                scalars[name] = extents[tensor][place]
            else:
                near = first[place] if place < len(first) else 1
                scalars[name] = _INPUTS[choice](near)
        return self._with(scalars, number)

    def _with(self, scalars: dict[str, int | float], number: int) -> Case:
        direct = Direct(self._pipeline, {}, scalars)
        places = tuple(place_array(a, a.tensor, direct) for a in self._nest.arguments if a.tensor)
        for place in places:
            scalars.update(_bounds(place))
        inputs = {
            p.argument.name: Noise(
                p.argument.type, p.minima, p.extents, seed, Mood(number % len(Mood))
            )
            for seed, p in enumerate(places, 7)
            if not p.argument.output
        }
        known = [
            None if c.reads or not c.variables <= scalars.keys() else bool(direct.value(c))
            for c in self._checks
        ]
        failing = 1 + known.index(False) if False in known else 0
        return Case(scalars, places, inputs, failing, None not in known)


_INPUTS = (
    lambda n: max(n, 1),
    lambda n: n + 2,
    lambda n: n + 4,
    lambda n: n + 8,
    lambda n: n + 16,
    lambda n: 2 * n + 2,
    lambda n: 2 * n + 16,
    lambda n: 4 * n + 16,
    lambda n: 8 * n + 64,
    lambda n: n // 2 + 2,
    lambda n: 64,
    lambda n: 300,
)
"""Extents of inputs that the program asks for, by those of the output."""


def scalar_value(scalar: Scalar, number: int) -> int | float:
    """A value of the caller's; the default is the first."""
    default = scalar.default
    if scalar.type == BOOL:
        return int(bool(default) ^ (number % 2 == 1))
    if default is not None:
        return default if number % 2 == 0 else _another(scalar.type, default)
    return (0.75, 1.5, 0.25)[number % 3] if scalar.type.is_float else (3, 2, 1)[number % 3]


def _another(type: Type, value: int | float) -> int | float:
    """A value beside another."""
    if type.is_float:
        return value + 0.125
    return value + 1 if value < type.largest else value - 1


def _dense(scalars: Mapping[str, int | float], tensor: str, place: int) -> int:
    total = 1
    for d in range(place):
        total *= int(scalars.get(f"{tensor}.extent.{d}", 1))
    return total


def place_array(argument: Argument, tensor: Tensor, direct: Direct) -> Place:
    """The bounds of an argument in a call whose scalars ``direct`` knows."""
    minima = tuple(int(direct.value(d.minimum)) for d in tensor.dimensions)
    extents = tuple(max(int(direct.value(d.extent)), 0) for d in tensor.dimensions)
    return Place(argument, minima, extents)


def _bounds(place: Place) -> Iterator[tuple[str, int]]:
    """What the program may ask of an array."""
    dense = 1
    for d, (low, extent) in enumerate(zip(place.minima, place.extents, strict=True)):
        for side, value in zip(_BOUNDS, (low, extent, dense), strict=True):
            yield f"{place.argument.name}.{side}.{d}", value
        dense *= extent
