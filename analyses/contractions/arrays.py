"""Arrays of a contraction: their dimensions, found in flat subscripts where the program has none.

A program may name the elements of a matrix by ``row * 264 + column`` of one dimension. The
dimensions are those of the coefficients: each that the values of what comes before stay below
starts a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import gcd, prod

from s2s.analyses.contractions.bounds import Guard, bounds
from s2s.analyses.contractions.linear import Affine, Ranges
from s2s.scop.contraction import NotAContraction
from s2s.scop.expressions import Const
from s2s.scop.linear import Linear
from s2s.scop.nest import Tensor
from s2s.source.records import dataclass

Extents = tuple[int, ...]


@dataclass(frozen=True)
class Shaped:
    """An array in its dimensions, and subscripts of its uses.

    ``inside`` (None: all) are the ranges of the subscripts where the program reads elements,
    ``wide`` the least and greatest subscripts wherever it reads or not;
    ``reached`` (None: all) is how many elements there are for certain.
    """

    extents: Extents
    subscripts: list[tuple[Affine, ...]]
    inside: tuple[tuple[int, int], ...] | None = None
    reached: int | None = None
    wide: tuple[tuple[int, int], ...] | None = None


def shape_arrays(
    tensor: Tensor,
    uses: Sequence[tuple[Affine, ...]],
    ranges: Ranges,
    guards: Sequence[Guard] = (),
) -> Shaped:
    """Extents of an array and subscripts of its uses, in as many dimensions as there are.

    Dimensions of one element are left out, but for one of them where there is no other. The
    elements are accessed where ``guards`` hold. Raises NotAContraction for elements out of bounds.
    """
    origin = _origin(tensor)
    moved = [tuple(s.minus(o) for s, o in zip(use, origin, strict=True)) for use in uses]
    if tensor.order and tensor.order != tuple(range(len(origin))):
        tensor = replace(tensor, dimensions=tuple(tensor.dimensions[k] for k in tensor.order))
        moved = [tuple(use[k] for k in tensor.order) for use in moved]
    known = _Known(ranges, guards)
    extents, moved = _in_one_piece(tensor, moved, known)
    for use in moved:
        for place, subscript in enumerate(use):
            low, high = known.bounds(subscript)
            if low < 0 or high >= extents[place]:
                text = f"{tensor.name} is accessed from {low} to {high} where it has"
                raise NotAContraction(f"{text} {extents[place]} elements")
    sizes, found = _split(extents, moved, known)
    reached = prod(extents)
    return Shaped(
        sizes,
        found,
        _inside(sizes, found, known, tensor.name),
        reached if reached < prod(sizes) else None,
        tuple(s.bounds(ranges) for s in found[0]) if guards else None,
    )


@dataclass(frozen=True)
class _Known:
    """What is known of variables where an array is accessed."""

    ranges: Ranges
    guards: Sequence[Guard]

    def bounds(self, value: Affine) -> tuple[int, int]:
        """The least and the greatest value."""
        return bounds(value, self.ranges, self.guards)


def _in_one_piece(
    tensor: Tensor, uses: list[tuple[Affine, ...]], known: _Known
) -> tuple[list[int], list[tuple[Affine, ...]]]:
    """The extents; an array through whose rows a pointer runs on is one of a single dimension."""
    rank = len(tensor.dimensions)
    extents = [_extent(tensor, k, [use[k] for use in uses], known) for k in range(rank)]
    leaves = any(
        low < 0 or high >= extents[place]
        for use in uses
        for place, subscript in enumerate(use[: rank - 1])
        for low, high in (known.bounds(subscript),)
    )
    if not leaves or not tensor.walked:
        return extents, uses
    strides = [prod(extents[:place]) for place in range(rank)]
    flat: list[tuple[Affine, ...]] = []
    for use in uses:
        total: Affine = Linear()
        for subscript, stride in zip(use, strides, strict=True):
            total = total.plus(subscript, stride)
        flat.append((total,))
    if isinstance(tensor.dimensions[-1].extent, Const):
        return [prod(extents)], flat
    return [max(known.bounds(total)[1] for (total, *_) in flat) + 1], flat


def _inside(
    extents: Extents, uses: Sequence[tuple[Affine, ...]], known: _Known, name: str
) -> tuple[tuple[int, int], ...] | None:
    """Where elements are read of all that a use's subscripts reach; None: there are only these."""
    if not known.guards:
        return None
    (use,) = uses
    for guard in known.guards:
        if not any(_is_multiple(subscript, guard) for subscript in use):
            raise NotAContraction(f"a condition bounds no subscript of {name}")
    found = [known.bounds(subscript) for subscript in use]
    return tuple((low, high + 1) for low, high in found)


def _is_multiple(subscript: Affine, guard: Guard) -> bool:
    return bool(guard.times(subscript)) and len(subscript.terms) == len(guard.value.terms)


def _origin(tensor: Tensor) -> tuple[Affine, ...]:
    found: list[Affine] = []
    for dimension in tensor.dimensions:
        if dimension.fold is not None or dimension.stride is not None:
            raise NotAContraction(f"{tensor.name} is not dense in memory")
        if not isinstance(dimension.minimum, Const):
            raise NotAContraction(f"{tensor.name} begins at an unknown place; give its size")
        found.append(Linear({}, int(dimension.minimum.value)))
    return tuple(found)


def _extent(tensor: Tensor, place: int, uses: Sequence[Affine], known: _Known) -> int:
    """As declared; of an outermost dimension without extent, what is used."""
    extent = tensor.dimensions[place].extent
    if isinstance(extent, Const):
        return int(extent.value)
    if place != len(tensor.dimensions) - 1:
        raise NotAContraction(f"dimension {place} of {tensor.name} has an unknown extent")
    return max(known.bounds(use)[1] for use in uses) + 1


def _split(
    extents: Sequence[int], uses: Sequence[tuple[Affine, ...]], known: _Known
) -> tuple[Extents, list[tuple[Affine, ...]]]:
    """Each dimension split where its subscripts are flat; those of one element left out."""
    sizes: list[int] = []
    found: list[list[Affine]] = [[] for _ in uses]
    for place, extent in enumerate(extents):
        subscripts = [use[place] for use in uses]
        strides = _strides(subscripts, extent, place == len(extents) - 1, known)
        pieces = [_pieces(subscript, strides, known) for subscript in subscripts]
        ends = (*strides[1:], None)
        for number, (stride, end) in enumerate(zip(strides, ends, strict=True)):
            size = -(-extent // stride) if end is None else end // stride
            if size > 1 or any(own[number].terms for own in pieces):
                sizes.append(size)
                for own, piece in zip(found, pieces, strict=True):
                    own.append(piece[number])
    if not sizes:
        return (1,), [(Linear(),) for _ in uses]
    return tuple(sizes), [tuple(own) for own in found]


def _strides(
    subscripts: Sequence[Affine], extent: int, outermost: bool, known: _Known
) -> list[int]:
    """The strides of the dimensions that a flat one has, 1 first.

    Rows must fill the dimension, but for the last row of the whole array.
    """
    coefficients = sorted({abs(c) for s in subscripts for c in s.terms.values()})
    strides = [1]
    for place in range(1, len(coefficients)):
        stride = gcd(*coefficients[place:])
        divides = stride % strides[-1] == 0 and stride > max(strides[-1], coefficients[place - 1])
        fills = extent % stride == 0 or outermost
        if divides and fills and all(_lowest(s, stride, known) is not None for s in subscripts):
            strides.append(stride)
    return strides


def _lowest(subscript: Affine, limit: int, known: _Known) -> Affine | None:
    """The part of a subscript inside a dimension of stride ``limit``; None where it leaves it."""
    terms = {n: c for n, c in subscript.terms.items() if abs(c) < limit}
    rest = subscript.constant % limit
    for constant in (rest, rest - limit):
        part = Linear(terms, constant)
        low, high = known.bounds(part)
        if low >= 0 and high < limit:
            return part
    return None


def _pieces(subscript: Affine, strides: Sequence[int], known: _Known) -> list[Affine]:
    """The parts of a flat subscript in each stride, in steps of it.

    The pieces times their strides add up to the subscript.
    """
    found, rest = [], subscript
    for stride, limit in zip(strides, (*strides[1:], None), strict=True):
        part = rest if limit is None else _lowest(rest, limit, known)
        assert part is not None
        rest = rest.plus(part, -1)
        found.append(part.split(stride)[0])
    return found
