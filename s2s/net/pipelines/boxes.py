"""Boxes of elements, and variables that run over them as axes of numpy's arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from s2s.net.pipelines.arrays import Values
from s2s.source.records import dataclass

Box = tuple[tuple[int, int], ...]
"""For each dimension the first and the last coordinate."""

Domain = list[tuple[str, tuple[int, int]]]
"""Reduction variables with first value and count."""


@dataclass
class Realization:
    """The elements of a Func over a box; the first dimension is the first axis.

    ``unset``, for each component: those that no definition gave a value (``undef``).
    """

    box: Box
    components: list[Values]
    unset: list[Values]

    def store(
        self, component: int, places: tuple[Values, ...], values: Values, add: str | None
    ) -> None:
        """Set elements, or combine them by numpy's ufunc of name ``add``, in the given order."""
        elements, unset = self.components[component], self.unset[component]
        if not places:
            places = (np.zeros(len(values), np.intp),)
            elements, unset = elements.reshape(1), unset.reshape(1)
        unset[places] = False
        if add is None:
            elements[places] = values
        else:
            getattr(np, add).at(elements, places, values)


class Outside(Exception):
    """An element beyond an input image is read, or beyond the box of a Func being updated."""

    def __init__(self, name: str, box: Box) -> None:
        super().__init__(f"{name} is read over {box}")
        self.name = name
        self.box = box


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


def double_box(box: Box, asked: Box) -> Box:
    """``asked``, and twice as much as the box has where it goes beyond: recurrences reach far."""
    found = []
    for (low, high), (first, last) in zip(box, asked, strict=True):
        extent = high - low + 1
        lowest = min(first, low - extent) if first < low else low
        highest = max(last, high + extent) if last > high else high
        found.append((lowest, highest))
    return tuple(found)


def axes(names: Mapping[int, str], box: Box) -> dict[str, Values]:
    """The values of variables by the dimension that each runs over."""
    found: dict[str, Values] = {}
    for d, name in names.items():
        low, high = box[d]
        shape = [1] * len(box)
        shape[d] = high - low + 1
        found[name] = np.arange(low, high + 1, dtype=np.int32).reshape(shape)
    return found


def domain_axes(domain: Domain, rank: int) -> dict[str, Values]:
    """Reduction variables as axes before ``rank`` others, the last variable outermost."""
    found: dict[str, Values] = {}
    for axis, (name, (low, count)) in enumerate(domain):
        shape = (count, *([1] * (axis + rank)))
        found[name] = np.arange(low, low + count, dtype=np.int32).reshape(shape)
    return found


def points(domain: Domain) -> Iterator[dict[str, Values]]:
    """The domain in order: the first variable runs fastest."""
    ranges = [range(low, low + count) for _, (low, count) in reversed(domain)]
    names = [name for name, _ in reversed(domain)]
    for point in product(*ranges):
        yield {n: np.asarray(v, np.int32) for n, v in zip(names, point, strict=True)}
