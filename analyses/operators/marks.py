"""Masks and numbers of points that a pooling leaves or reads, as places affine in its loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from s2s.analyses.operators.gather import Windows
from s2s.scop.pooling import Mask, Numbers, Places, Pooling
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Step:
    """A loop: extent, and how far it goes on in the array of windows and in the image."""

    name: str
    extent: int
    window: int
    image: int


@dataclass(frozen=True)
class Loops:
    """Loops over planes (``inner``: channels) and along the image, and the image's steps."""

    outer: Sequence[Step]
    inner: Step | None
    y: Step | None
    x: Step | None
    start: int
    px: int
    line: int

    @property
    def planes(self) -> list[Step]:
        return [*self.outer, *([self.inner] if self.inner else [])]

    def window(self, names: Mapping[str, int]) -> tuple[int, ...]:
        """A window's coordinates: batches, channel, row, column."""
        numbers = [names[s.name] for s in self.outer] or [0]
        return (*numbers, *(names[s.name] if s else 0 for s in (self.inner, self.y, self.x)))

    def kernel(self, found: Pooling, names: Mapping[str, int], point: int) -> tuple[int, int]:
        """Which point of a window it is."""
        base = self.start + sum(s.image * names[s.name] for s in self.planes)
        iy, ix = divmod(point - base, self.line)
        oy, ox = (names[s.name] if s else 0 for s in (self.y, self.x))
        ky = (iy - oy * found.y.stride + found.y.before) // found.y.dilation
        kx = (ix // self.px - ox * found.x.stride + found.x.before) // found.x.dilation
        return ky, kx


def _places(array: str, steps: Sequence[int]) -> Places:
    """An array by the factors of 1, batches, channel, row, column and perhaps the kernel's."""
    return Places(array, steps[0], tuple(steps[1:-5]), *steps[-5:])


def with_masks(found: Pooling, seen: Windows, loops: Loops) -> Pooling | None:
    """With where the mask is: affine in the loops and in the point of the window."""
    if any(f != 1.0 for points in seen.points.values() for f in points.values()):
        return None
    rows = []
    for (window, point), (_, place) in seen.masks.items():
        names = seen.where[window]
        rows.append(((*loops.window(names), *loops.kernel(found, names, point)), place))
    steps = _affine(rows)
    if steps is None:
        return None
    array = next(iter(seen.masks.values()))[0]
    mask = Mask.NONE if seen.backward else Mask.FIRST if seen.is_first else Mask.ALL
    return replace(found, masks=_places(array, steps), mask=mask)


def with_numbers(found: Pooling, seen: Windows, loops: Loops) -> Pooling | None:
    """With the numbers of the points that have the maximum; both affine as above."""
    places, numbers = [], []
    for window, (place, position) in seen.positions.items():
        names = seen.where[window]
        coordinates = loops.window(names)
        places.append(((*coordinates, 0, 0), place))
        points = [point for _, point in position.numbers]
        if points != sorted(points):
            return None
        for (_, point), number in position.numbers.items():
            numbers.append(((*coordinates, *loops.kernel(found, names, point)), number))
    first, second = _affine(places), _affine(numbers)
    if first is None or second is None:
        return None
    sample = next(iter(seen.positions.values()))[1]
    given = Numbers(
        _places(seen.numbers, first), _places(seen.numbers, second),
        sample.otherwise or 0, bool(sample.is_last),
    )  # fmt: skip
    return replace(found, numbers=given, mask=Mask.ALL)


def _affine(rows: Sequence[tuple[tuple[int, ...], int]]) -> list[int] | None:
    """A constant and a factor for each coordinate; None where places are not affine in them."""
    import numpy as np

    points = np.array([[1, *point] for point, _ in rows], dtype=float)
    places = np.array([place for _, place in rows], dtype=float)
    found = np.linalg.lstsq(points, places, rcond=None)[0]
    whole = np.rint(found)
    if not np.array_equal(points @ whole, places):
        return None
    return [int(value) for value in whole]
