"""Arrays of a contraction: their dimensions, found in flat subscripts where the program has none.

A program may name the elements of a matrix by ``row * 264 + column`` of one dimension. The
dimensions are those of the coefficients: each that the values of what comes before stay below
starts a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from s2s.analyses.contractions.linear import Linear, Ranges
from s2s.scop.contraction import NotAContraction
from s2s.scop.expressions import Const
from s2s.scop.nest import Tensor

Extents = tuple[int, ...]


def shaped(
    tensor: Tensor, uses: Sequence[tuple[Linear, ...]], ranges: Ranges
) -> tuple[Extents, list[tuple[Linear, ...]]]:
    """Extents of an array and subscripts of its uses: from 0, in as many dimensions as there are.

    Dimensions of one element are left out, but for one of them where there is no other. Raises
    NotAContraction for elements out of bounds.
    """
    origin = _origin(tensor)
    moved = [tuple(s.plus(o, -1) for s, o in zip(use, origin, strict=True)) for use in uses]
    extents = [_extent(tensor, k, [use[k] for use in moved], ranges) for k in range(len(origin))]
    for use in moved:
        for place, subscript in enumerate(use):
            low, high = subscript.bounds(ranges)
            if low < 0 or high >= extents[place]:
                text = f"{tensor.name} is accessed from {low} to {high} where it has"
                raise NotAContraction(f"{text} {extents[place]} elements")
    if tensor.order and tensor.order != tuple(range(len(extents))):
        extents = [extents[k] for k in tensor.order]
        moved = [tuple(use[k] for k in tensor.order) for use in moved]
    return _split(extents, moved, ranges)


def _origin(tensor: Tensor) -> tuple[Linear, ...]:
    found = []
    for dimension in tensor.dimensions:
        if dimension.fold is not None or dimension.stride is not None:
            raise NotAContraction(f"{tensor.name} is not dense in memory")
        if not isinstance(dimension.minimum, Const):
            raise NotAContraction(f"{tensor.name} begins at an unknown place; give its size")
        found.append(Linear((), int(dimension.minimum.value)))
    return tuple(found)


def _extent(tensor: Tensor, place: int, uses: Sequence[Linear], ranges: Ranges) -> int:
    """As declared; of an outermost dimension without extent, what is used."""
    extent = tensor.dimensions[place].extent
    if isinstance(extent, Const):
        return int(extent.value)
    if place != len(tensor.dimensions) - 1:
        raise NotAContraction(f"dimension {place} of {tensor.name} has an unknown extent")
    return max(use.bounds(ranges)[1] for use in uses) + 1


def _split(
    extents: Sequence[int], uses: Sequence[tuple[Linear, ...]], ranges: Ranges
) -> tuple[Extents, list[tuple[Linear, ...]]]:
    """Each dimension split where its subscripts are flat; those of one element left out."""
    sizes: list[int] = []
    found: list[list[Linear]] = [[] for _ in uses]
    for place, extent in enumerate(extents):
        subscripts = [use[place] for use in uses]
        strides = _strides(subscripts, extent, place == len(extents) - 1, ranges)
        ends = (*strides[1:], None)
        for stride, end in zip(strides, ends, strict=True):
            size = -(-extent // stride) if end is None else end // stride
            if size > 1:
                sizes.append(size)
                for own, subscript in zip(found, subscripts, strict=True):
                    own.append(_piece(subscript, stride, end))
    if not sizes:
        return (1,), [(Linear(()),) for _ in uses]
    return tuple(sizes), [tuple(own) for own in found]


def _strides(
    subscripts: Sequence[Linear], extent: int, outermost: bool, ranges: Ranges
) -> list[int]:
    """The strides of the dimensions that a flat one has, 1 first.

    Rows must fill the dimension, but for the last row of the whole array.
    """
    coefficients = sorted({abs(c) for s in subscripts for _, c in s.terms})
    strides = [1]
    for place in range(1, len(coefficients)):
        stride = gcd(*coefficients[place:])
        divides = stride % strides[-1] == 0 and stride > max(strides[-1], coefficients[place - 1])
        fills = extent % stride == 0 or outermost
        if divides and fills and all(_is_below(s, stride, ranges) for s in subscripts):
            strides.append(stride)
    return strides


def _is_below(subscript: Linear, limit: int, ranges: Ranges) -> bool:
    """Whether what is inside a dimension of stride ``limit`` stays in one step of it."""
    low, high = _piece(subscript, 1, limit).bounds(ranges)
    return low >= 0 and high < limit


def _piece(subscript: Linear, stride: int, limit: int | None) -> Linear:
    """The part of a flat subscript between two strides, in steps of the inner one.

    The pieces times their strides add up to the subscript.
    """
    terms = tuple(
        (n, c // stride)
        for n, c in subscript.terms
        if abs(c) >= stride and (limit is None or abs(c) < limit)
    )
    constant = subscript.constant if limit is None else subscript.constant % limit
    return Linear(terms, constant // stride)
