"""Data layouts: where an array's elements lie in the memory that a kernel reads.

A layout is a table from places in packed memory to elements of the source array (counted in its
own, dense order), -1 for filling with zeros. ``Tiled`` permutes and tiles dimensions and may pad
them, as ``(C/2)Y'X'(2)`` of the Vyasa paper (Figure 12); ``Stream`` puts elements in the order in
which a loop body takes them. An element may lie in several places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from math import prod

from s2s.source.records import dataclass


@dataclass(frozen=True)
class Axis:
    """Places ``index // divisor`` of one dimension, modulo the next larger divisor if any.

    ``extent`` is how many places the axis has; those after the array's end are padding. Divisor 0
    repeats each element ``extent`` times.
    """

    dimension: int
    divisor: int
    extent: int


@dataclass(frozen=True)
class Tiled:
    """Axes from the outermost to the innermost, over dimensions listed innermost first."""

    axes: tuple[Axis, ...]
    tail: int = 0
    """Elements after the last one that a kernel may read, zero."""

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """Distance in elements between places of each axis."""
        extents = [axis.extent for axis in self.axes]
        return tuple(prod(extents[number + 1 :]) for number in range(len(extents)))

    @property
    def size(self) -> int:
        """Elements in all."""
        return prod(axis.extent for axis in self.axes) + self.tail

    @cached_property
    def _digits(self) -> tuple[tuple[int, int, int | None, int], ...]:
        """(dimension, divisor, modulus, stride) of each axis."""
        found = []
        for axis, stride in zip(self.axes, self.strides, strict=True):
            if axis.divisor == 0:
                continue
            larger = [a.divisor for a in self.axes if a.dimension == axis.dimension]
            above = [d for d in larger if d > axis.divisor]
            modulus = min(above) // axis.divisor if above else None
            found.append((axis.dimension, axis.divisor, modulus, stride))
        return tuple(found)

    def place(self, indices: Sequence[int]) -> int:
        """Where an element lies; indices innermost dimension first."""
        total = 0
        for dimension, divisor, modulus, stride in self._digits:
            digit = indices[dimension] // divisor
            total += stride * (digit if modulus is None else digit % modulus)
        return total

    def capacity(self, dimension: int) -> int:
        """How many indices of a dimension have places."""
        own = [axis for axis in self.axes if axis.dimension == dimension]
        return 1 + sum(axis.divisor * (axis.extent - 1) for axis in own)

    def move(self, dimension: int, step: int) -> int | None:
        """How far an element moves as an index grows by ``step``; None where that depends."""
        if step == 0:
            return 0
        own = [d for d in self._digits if d[0] == dimension]
        if not own:
            return 0
        _, divisor, _, stride = max(own, key=lambda d: d[1])
        return None if step % divisor else step // divisor * stride

    def table(self, extents: Sequence[int]) -> list[int]:
        """The element at each place of an array with these extents; -1: none."""
        found = []
        strides = [prod(extents[:dimension]) for dimension in range(len(extents))]
        for point in product(*(range(axis.extent) for axis in self.axes)):
            indices = [0] * len(extents)
            for axis, value in zip(self.axes, point, strict=True):
                indices[axis.dimension] += axis.divisor * value
            inside = all(i < e for i, e in zip(indices, extents, strict=True))
            place = sum(i * s for i, s in zip(indices, strides, strict=True))
            found.append(place if inside else -1)
        return found + [-1] * self.tail

    def describe(self, names: Sequence[str]) -> str:
        """The paper's notation: ``(C/2)Y'X'(2)``, outermost first."""
        parts = []
        for axis in self.axes:
            whole = max(a.divisor for a in self.axes if a.dimension == axis.dimension)
            if axis.divisor == 0 or axis.divisor < whole:
                parts.append(f"({axis.extent})")
            else:
                name = names[axis.dimension]
                parts.append(f"({name}/{axis.divisor})" if axis.divisor > 1 else name)
        return "".join(parts)


@dataclass(frozen=True)
class Windows(Tiled):
    """Windows of ``reach`` elements, one for each ``lanes`` of ``dimension``, in ``copies``.

    Copy number n is shifted by n elements. A shuffle network that picks neighbours only together
    finds a run of lanes from any element on: in the copy that suits its first one.
    """

    dimension: int = 0
    lanes: int = 16
    reach: int = 32
    copies: int = 2

    def run(self, indices: Sequence[int], window: int) -> int | None:
        """Where a run of lanes starts that begins with an element; None: not in this window."""
        offset = indices[self.dimension] - window * self.lanes
        copy = offset % self.copies
        if offset < 0 or offset - copy + self.lanes > self.reach:
            return None
        start = list(indices)
        start[self.dimension] = window * self.lanes
        total = super().place(start)
        return total + copy * self.reach + offset - copy

    def describe(self, names: Sequence[str]) -> str:
        """The dimensions, then lanes, copies and reach of the windows."""
        outer = "".join(
            names[axis.dimension] if axis.divisor else f"({axis.extent})" for axis in self.axes[:-3]
        )
        name = names[self.dimension]
        return f"{outer}({name}/{self.lanes})({self.copies})({self.reach})"


def windows(extents: Sequence[int], dimension: int, count: int, lanes: int = 16) -> Windows:
    """``count`` windows along a dimension, the other dimensions outside in their own order."""
    outer = [Axis(d, 1, extents[d]) for d in reversed(range(len(extents))) if d != dimension]
    inner = [Axis(dimension, lanes, count), Axis(dimension, 1, 2), Axis(dimension, 1, 2 * lanes)]
    return Windows((*outer, *inner), 0, dimension, lanes, 2 * lanes)


def natural(extents: Sequence[int], *, pitch: int = 1, tail: int = 0) -> Tiled:
    """The source's own layout, rows padded to a multiple of ``pitch`` elements."""
    sizes = [-(-extents[0] // pitch) * pitch, *extents[1:]]
    axes = [Axis(dimension, 1, size) for dimension, size in enumerate(sizes)]
    return Tiled(tuple(reversed(axes)), tail)


@dataclass(frozen=True)
class Region:
    """One run of a stream: ``offsets`` of elements (-1: zero) for each iteration of ``loops``.

    ``loops``: (iterations, source elements per iteration), outermost first.
    """

    offsets: tuple[int, ...]
    loops: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        """Elements of the run."""
        return len(self.offsets) * prod(trips for trips, _ in self.loops)

    def elements(self) -> Iterator[int]:
        """The elements in the order of their places."""
        for point in product(*(range(trips) for trips, _ in self.loops)):
            base = sum(k * step for k, (_, step) in zip(point, self.loops, strict=True))
            yield from (base + offset if offset >= 0 else -1 for offset in self.offsets)


@dataclass(frozen=True)
class Stream:
    """Elements in the order in which the bodies of a kernel's loop nests take them."""

    regions: tuple[Region, ...]

    @property
    def size(self) -> int:
        """Elements in all."""
        return sum(region.size for region in self.regions)

    def table(self, extents: Sequence[int]) -> list[int]:
        """The element at each place; -1: none."""
        return [element for region in self.regions for element in region.elements()]

    def describe(self, names: Sequence[str]) -> str:
        """A word for the layout."""
        return f"stream of {'+'.join(str(len(r.offsets)) for r in self.regions)}"


Layout = Tiled | Stream
