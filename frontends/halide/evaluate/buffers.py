"""Buffers that the program makes: tables that it fills, or images from outside."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.evaluate.language import call_arguments, expanded
from s2s.frontends.halide.evaluate.values import (
    VOID,
    Number,
    Pointer,
    Ref,
    deref,
    number,
    scalar_type,
)
from s2s.frontends.halide.evaluate.world import World, integer, subscript
from s2s.scop.errors import Illegal
from s2s.scop.expressions import INT32, Expr, Load, Type
from s2s.scop.pipeline import Image
from s2s.source.records import dataclass

LARGEST = 1 << 20
"""Elements of a table; more are taken for an image that comes from outside."""


class Element(Ref):
    """An element of a table."""

    __slots__ = ("buffer", "place")

    def __init__(self, buffer: Buffer, place: int) -> None:
        self.buffer, self.place = buffer, place

    def get(self) -> Any:
        value = self.buffer.elements()[self.place]
        return _scalar(self.buffer.type, value)

    def set(self, value: Any) -> None:
        plain = number(value)
        if plain is None:
            raise Illegal("an element of a Buffer must be known when the pipeline is built")
        self.buffer.elements()[self.place] = typing.const(self.buffer.type, plain).value


def _scalar(type_: Type, value: int | float) -> Any:
    if type_ == Type("float", 64):
        return float(value)
    if type_ == Type("float", 32):
        return Number(value, "float")
    for name in ("int", "unsigned char", "signed char", "unsigned short", "short", "bool"):
        if scalar_type(name) == type_:
            return (
                bool(value)
                if name == "bool"
                else int(value)
                if name == "int"
                else Number(value, name)
            )
    for name in ("unsigned int", "long", "unsigned long"):
        if scalar_type(name) == type_:
            return Number(value, name)
    return float(value)


class Buffer:
    """A table: (minimum, extent) of each dimension, elements dense, the first innermost."""

    words = "a Buffer"

    def __init__(self, world: World, type_: Type, extents: list[int], name: str) -> None:
        self.world, self.type, self.name = world, type_, name
        self.dimensions = [[0, e] for e in extents]
        self.view: View | None = None
        """Where the elements are if they are part of another Buffer."""
        self.image: Image | None = None
        self.values: list[int | float] | None = None
        self.writes = 0

    def elements(self) -> list[int | float]:
        """The memory that ``place`` counts in."""
        if self.view is not None:
            return self.view.of.elements()
        if self.values is None:
            count = 1
            for _, extent in self.dimensions:
                count *= max(extent, 0)
            if count > LARGEST:
                raise Illegal(f"a Buffer of {count} elements is too large to be filled here")
            self.values = [0 if self.type.is_integer else 0.0] * count
        return self.values

    def m_call(self, *arguments: Any) -> Any:
        values = expanded(call_arguments(arguments), len(self.dimensions))
        plain = [number(v) for v in values]
        if len(values) != len(self.dimensions):
            raise Illegal(
                f"Buffer '{self.name}' is used with {len(values)} arguments, "
                f"but has {len(self.dimensions)} dimensions"
            )
        if any(p is None for p in plain):
            where = tuple(subscript(v, self.name, i) for i, v in enumerate(values))
            return Load(self.type, self.table().name, where)
        return Element(self, self.place([int(p or 0) for p in plain]))

    def place(self, indices: list[int]) -> int:
        for index, (minimum, extent) in zip(indices, self.dimensions, strict=True):
            if not minimum <= index < minimum + extent:
                raise Illegal(f"element {tuple(indices)} is outside of Buffer '{self.name}'")
        offsets = [index - low for index, (low, _) in zip(indices, self.dimensions, strict=True)]
        if self.view is not None:
            return self.view.of.place(self.view.indices(offsets))
        return sum(o * self.m_stride(d) for d, o in enumerate(offsets))

    def everywhere(self) -> Iterator[list[int]]:
        """The indices of all elements, the first dimension innermost."""
        ranges = [range(low, low + extent) for low, extent in reversed(self.dimensions)]
        for indices in product(*ranges):
            yield list(reversed(indices))

    def dense(self) -> list[int | float]:
        """The elements, one after the other."""
        elements = self.elements()
        if self.view is None:
            return elements
        return [elements[self.place(indices)] for indices in self.everywhere()]

    def table(self) -> Image:
        """The pipeline's image for this Buffer; its elements are taken at the end."""
        if self.image is None:
            self.image = self.world.image(self.name, self.type, len(self.dimensions))
            self.world.tables.append(self)
        return self.image

    def finish(self) -> None:
        """Give the image the elements."""
        assert self.image is not None
        self.image.minima = tuple(d[0] for d in self.dimensions)
        constants = [[typing.const(INT32, v) for v in d] for d in self.dimensions]
        self.image.bounds = {i: (d[0], d[1], None) for i, d in enumerate(constants)}
        self.image.data = _nested(self.dense(), [d[1] for d in self.dimensions])

    def expr(self) -> Expr:
        if self.dimensions:
            raise Illegal("a Buffer with dimensions is no Expr")
        return Load(self.type, self.table().name, ())

    def as_func(self) -> Any:
        from s2s.frontends.halide.evaluate.funcs import image_as_func
        from s2s.frontends.halide.evaluate.images import ImageObject

        return image_as_func(self.world, ImageObject(self.world, self.table()))

    def m_name(self) -> str:
        return self.name

    def m_type(self) -> Type:
        return self.type

    def m_dimensions(self) -> int:
        return len(self.dimensions)

    def m_defined(self) -> bool:
        return True

    def m_dim(self, index: Any) -> Any:
        return BufferDimension(self, self._dimension(index))

    def _dimension(self, index: Any) -> int:
        found = integer(index, "a dimension")
        if not 0 <= found < len(self.dimensions):
            raise Illegal(f"dimension {found} of a Buffer with {len(self.dimensions)}")
        return found

    def m_extent(self, index: Any) -> int:
        return self.dimensions[self._dimension(index)][1]

    def m_min(self, index: Any) -> int:
        return self.dimensions[self._dimension(index)][0]

    def m_stride(self, index: Any) -> int:
        if self.view is not None:
            return self.view.of.m_stride(self.view.order[self._dimension(index)])
        step = 1
        for _, extent in self.dimensions[: self._dimension(index)]:
            step *= extent
        return step

    def m_width(self) -> int:
        return self.m_extent(0)

    def m_height(self) -> int:
        return self.m_extent(1) if len(self.dimensions) > 1 else 1

    def m_channels(self) -> int:
        return self.m_extent(2) if len(self.dimensions) > 2 else 1

    def m_left(self) -> int:
        return self.m_min(0)

    def m_right(self) -> int:
        return self.m_min(0) + self.m_extent(0) - 1

    def m_top(self) -> int:
        return self.m_min(1)

    def m_bottom(self) -> int:
        return self.m_min(1) + self.m_extent(1) - 1

    def m_number_of_elements(self) -> Any:
        return Number(prod(extent for _, extent in self.dimensions), "unsigned long")

    def m_size_in_bytes(self) -> Any:
        bytes_ = (self.type.bits + 7) // 8
        return Number(int(self.m_number_of_elements().value) * bytes_, "unsigned long")

    def m_set_min(self, *minima: Any) -> Any:
        for dimension, value in zip(self.dimensions, call_arguments(minima), strict=False):
            dimension[0] = integer(value, "a minimum")
        return VOID

    def m_translate(self, *where: Any) -> Any:
        """A dimension and an offset, or a vector of the offsets of all."""
        values = call_arguments(where)
        pairs = enumerate(values) if len(where) == 1 else [(self._dimension(where[0]), where[1])]
        for dimension, by in pairs:
            self.dimensions[dimension][0] += integer(by, "an offset")
        return VOID

    def m_copy(self) -> Buffer:
        made = Buffer(self.world, self.type, [e for _, e in self.dimensions], self._fresh())
        made.values = list(self.dense())
        made.dimensions = [list(d) for d in self.dimensions]
        return made

    def m_copy_from(self, other: Any) -> Any:
        """The elements that both have."""
        source = deref(other)
        for indices in self.everywhere():
            sides = zip(indices, source.dimensions, strict=True)
            if all(low <= index < low + extent for index, (low, extent) in sides):
                value = source.elements()[source.place(indices)]
                self.elements()[self.place(indices)] = value
        return VOID

    def _fresh(self) -> str:
        return self.world.program.unique(self.name)

    def _part(self, view: View, dimensions: list[list[int]]) -> Buffer:
        made = Buffer(self.world, self.type, [e for _, e in dimensions], self._fresh())
        made.dimensions, made.view = dimensions, view
        return made

    def m_cropped(self, *where: Any) -> Buffer:
        """A dimension, a minimum and an extent, or a vector of pairs of the last two."""
        pairs = [list(d) for d in self.dimensions]
        if len(where) == 1:
            items = [deref(pair).items for pair in deref(where[0]).items]
            pairs = [[integer(v, "a side of a crop") for v in pair] for pair in items]
        else:
            sides = [integer(v, "a side of a crop") for v in where[1:]]
            pairs[self._dimension(where[0])] = sides
        for (low, extent), (first, count) in zip(pairs, self.dimensions, strict=True):
            if low < first or low + extent > first + count:
                raise Illegal(f"a crop of Buffer '{self.name}' outside of it")
        skipped = tuple(p[0] - d[0] for p, d in zip(pairs, self.dimensions, strict=True))
        return self._part(View(self, skipped, tuple(range(len(pairs)))), pairs)

    def m_sliced(self, index: Any, position: Any = None) -> Buffer:
        dimension = self._dimension(index)
        low, extent = self.dimensions[dimension]
        where = low if position is None else integer(position, "a position")
        if not low <= where < low + extent:
            raise Illegal(f"a slice of Buffer '{self.name}' outside of it")
        kept = [d for d in range(len(self.dimensions)) if d != dimension]
        first = [where - low if d == dimension else 0 for d in range(len(self.dimensions))]
        return self._part(
            View(self, tuple(first), tuple(kept)), [list(self.dimensions[d]) for d in kept]
        )

    def m_transposed(self, first: Any, second: Any) -> Buffer:
        order = list(range(len(self.dimensions)))
        a, b = self._dimension(first), self._dimension(second)
        order[a], order[b] = b, a
        view = View(self, (0,) * len(order), tuple(order))
        return self._part(view, [list(self.dimensions[d]) for d in order])

    def m_translated(self, index: Any, by: Any) -> Buffer:
        made = self.m_transposed(0, 0)
        made.m_translate(index, by)
        return made

    def m_fill(self, value: Any) -> Any:
        plain = number(deref(value))
        if plain is None:
            raise Illegal("an element of a Buffer must be known when the pipeline is built")
        made = typing.const(self.type, plain).value
        elements = self.elements()
        for indices in self.everywhere():
            elements[self.place(indices)] = made
        return self

    def m_data(self) -> Any:
        if self.view is not None:
            raise Illegal("a pointer into a part of a Buffer is not supported")
        return Pointer(None, self.elements(), 0)

    m_begin = m_data

    def m_raw_buffer(self) -> Any:
        return self

    def _nothing(self, *_: Any) -> Any:
        return VOID

    m_set_host_dirty = m_copy_to_host = m_copy_to_device = m_set_name = m_device_sync = _nothing


@dataclass(frozen=True)
class View:
    """Elements of a Buffer as those of another one.

    ``first`` is how far the first element is from the first one there, ``order`` has, for each
    dimension of the view, the dimension there.
    """

    of: Buffer
    first: tuple[int, ...]
    order: tuple[int, ...]

    def indices(self, offsets: list[int]) -> list[int]:
        """The other Buffer's indices for offsets from the view's minima."""
        pairs = zip(self.of.dimensions, self.first, strict=True)
        found = [low + first for (low, _), first in pairs]
        for dimension, offset in zip(self.order, offsets, strict=True):
            found[dimension] += offset
        return found


class BufferDimension:
    """``dim(i)`` of a Buffer."""

    words = "a dimension of a Buffer"

    def __init__(self, buffer: Buffer, index: int) -> None:
        self.buffer, self.index = buffer, index

    def m_min(self) -> int:
        return self.buffer.dimensions[self.index][0]

    def m_extent(self) -> int:
        return self.buffer.dimensions[self.index][1]

    def m_max(self) -> int:
        return self.m_min() + self.m_extent() - 1

    def m_stride(self) -> int:
        return self.buffer.m_stride(self.index)

    m_begin = m_min

    def m_end(self) -> int:
        return self.m_min() + self.m_extent()


def _nested(values: list[Any], extents: list[int]) -> Any:
    """Dense values as tuples of tuples, the last dimension outermost."""
    if not extents:
        return values[0] if values else 0
    step = 1
    for extent in extents[:-1]:
        step *= extent
    inner = extents[:-1]
    return tuple(_nested(values[i * step : (i + 1) * step], inner) for i in range(extents[-1]))
