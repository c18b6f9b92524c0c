"""Where outputs begin and how large they become, from inputs of known size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.scop.expressions import Expr
    from s2s.scop.nest import Tensor
    from s2s.scop.pipeline import Func, Pipeline

Sides = tuple[tuple[int, int], ...]
"""Minimum and extent of each dimension."""
_LARGER = 64
"""By how much an output may be larger than what it is made of."""


@dataclass(frozen=True)
class Asked:
    """What is known of a call: sides of inputs, extents of outputs, values of scalars."""

    inputs: Mapping[str, Sides]
    extents: Mapping[str, Sequence[int]]
    scalars: Mapping[str, int | float]


def choose_regions(
    pipeline: Pipeline, needs: Sequence[Tensor], known: Mapping[str, Expr], asked: Asked
) -> dict[str, Sides]:
    """The region of each output.

    ``needs`` is what a nest with free sizes reads, ``known`` the bounds that the program sets. An
    output begins at 0, or where nothing before the inputs' first elements is read, and is as large
    as the inputs allow; as large as the first input where they allow anything. Raises UserError
    where the inputs are too small.
    """
    return _Search(pipeline, needs, known, asked).found()


@dataclass(frozen=True)
class _Need:
    """A dimension of an input: what is read of it, and which bounds that depends on."""

    name: str
    place: int
    minimum: Expr
    extent: Expr

    @property
    def variables(self) -> frozenset[str]:
        return self.minimum.variables | self.extent.variables


class _Search:
    def __init__(
        self,
        pipeline: Pipeline,
        needs: Sequence[Tensor],
        known: Mapping[str, Expr],
        asked: Asked,
    ) -> None:
        from s2s.net.pipelines.definitions import Direct

        self._pipeline, self._asked = pipeline, asked
        self._direct = Direct(pipeline, {}, {})
        self._outputs = {n: len(pipeline.funcs[n].vars) for n in pipeline.outputs}
        self._needs = [
            _Need(tensor.name, place, side.minimum, side.extent)
            for tensor in needs
            for place, side in enumerate(tensor.dimensions)
        ]
        self._scalars: dict[str, int | float] = dict(asked.scalars)
        for name, sides in asked.inputs.items():
            for place, (low, extent) in enumerate(sides):
                dense = _product(e for _, e in sides[:place])
                for side, value in (("min", low), ("extent", extent), ("stride", dense)):
                    self._scalars[f"{name}.{side}.{place}"] = value
        self._fixed: set[str] = set()
        for name, rank in self._outputs.items():
            for place in range(rank):
                self._begin(name, place, known)

    def _begin(self, name: str, place: int, known: Mapping[str, Expr]) -> None:
        """The first guess of an output's side."""
        low, extent = f"{name}.min.{place}", f"{name}.extent.{place}"
        self._scalars[low], self._scalars[extent] = 0, self._usual(place)
        if name in self._asked.extents:
            self._scalars[extent] = self._asked.extents[name][place]
            self._fixed.add(extent)
        promised = _promised(self._pipeline.funcs[name], place)
        for variable, bound in zip((low, extent), promised, strict=True):
            value = known.get(variable, bound)
            if value is not None and variable not in self._fixed and self._is_known(value):
                self._scalars[variable] = int(self._value(value))
                self._fixed.add(variable)

    def _is_known(self, value: Expr) -> bool:
        return value.variables <= self._scalars.keys()

    def _usual(self, place: int) -> int:
        """The extent of the first input that has such a dimension."""
        sides = (s for s in self._asked.inputs.values() if len(s) > place)
        return max(next((side[place][1] for side in sides), 1), 1)

    def found(self) -> dict[str, Sides]:
        """The regions, dimension by dimension."""
        for place in range(max(self._outputs.values(), default=0)):
            names = [n for n, rank in self._outputs.items() if rank > place]
            own = {f"{n}.{side}.{place}" for n in names for side in ("min", "extent")}
            needs = [need for need in self._needs if need.variables & own]
            self._set_minimum([f"{n}.min.{place}" for n in names], needs)
            self._set_extent([f"{n}.extent.{place}" for n in names], needs, place)
        self._check()
        return {name: self._sides(name, rank) for name, rank in self._outputs.items()}

    def _sides(self, name: str, rank: int) -> Sides:
        def value(side: str, place: int) -> int:
            return int(self._scalars[f"{name}.{side}.{place}"])

        return tuple((value("min", d), value("extent", d)) for d in range(rank))

    def _set_minimum(self, names: Sequence[str], needs: Sequence[_Need]) -> None:
        free = [name for name in names if name not in self._fixed]

        def begins(value: int) -> bool:
            self._scalars.update(dict.fromkeys(free, value))
            return all(self._region(n)[0] >= self._given(n)[0] for n in needs)

        if begins(0):
            return
        most = 2 * max((self._given(n)[1] for n in needs), default=0) + _LARGER
        begins(_first(begins, 1, most) if free and begins(most) else 0)

    def _set_extent(self, names: Sequence[str], needs: Sequence[_Need], place: int) -> None:
        free = [name for name in names if name not in self._fixed]
        if not free or not needs:
            return

        def leaves(value: int) -> bool:
            self._scalars.update(dict.fromkeys(free, value))
            return not all(self._end(n) <= sum(self._given(n)) for n in needs)

        usual = self._usual(place)
        most = _LARGER * max(usual, max(self._given(n)[1] for n in needs))
        leaves((_first(leaves, 1, most) - 1 or usual) if leaves(most) else usual)

    def _check(self) -> None:
        """Raise UserError for an input of which there is not enough."""
        for need in self._needs:
            (low, extent), (first, given) = self._region(need), self._given(need)
            if extent > 0 and not (first <= low and low + extent <= first + given):
                sizes = ", ".join(
                    f"{name} of {'x'.join(str(e) for _, e in self._sides(name, rank)) or 1}"
                    for name, rank in self._outputs.items()
                )
                text = (
                    f"input '{need.name}' is too small in dimension {need.place}: for"
                    f" {sizes} elements {low} to {low + extent - 1} are read,"
                    f" there are {first} to {first + given - 1}"
                )
                raise UserError(Diagnostic(Severity.ERROR, text, "size"))

    def _region(self, need: _Need) -> tuple[int, int]:
        return int(self._value(need.minimum)), int(self._value(need.extent))

    def _end(self, need: _Need) -> int:
        return sum(self._region(need))

    def _given(self, need: _Need) -> tuple[int, int]:
        return self._asked.inputs[need.name][need.place]

    def _value(self, expr: Expr) -> int:
        self._direct.scalars = self._scalars
        return int(self._direct.value(expr))


def _promised(func: Func, place: int) -> tuple[Expr | None, Expr | None]:
    """What the schedule says about a dimension: ``bound``."""
    found: tuple[Expr | None, Expr | None] = (None, None)
    for bound in func.schedule.bounds:
        if bound.var == func.vars[place]:
            found = bound.minimum or found[0], bound.extent or found[1]
    return found


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The smallest number from ``low`` on for which a monotone condition holds; it does at high."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _product(factors: Iterator[int]) -> int:
    total = 1
    for factor in factors:
        total *= factor
    return total
