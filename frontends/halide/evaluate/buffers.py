"""Buffers that the program makes: tables that it fills, or images from outside."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.errors import Illegal
from s2s.frontends.halide.evaluate.containers import Items
from s2s.frontends.halide.evaluate.language import call_arguments
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.types import CType
from s2s.frontends.halide.evaluate.values import (
    NULL,
    VOID,
    Number,
    Pointer,
    Ref,
    deref,
    number,
    scalar_type,
)
from s2s.frontends.halide.evaluate.world import World, integer, subscript
from s2s.frontends.halide.pipeline import Image
from s2s.scop.expressions import INT32, Expr, Load, Type

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
        self.image: Image | None = None
        self.values: list[int | float] | None = None
        self.writes = 0

    def elements(self) -> list[int | float]:
        if self.values is None:
            count = 1
            for _, extent in self.dimensions:
                count *= max(extent, 0)
            if count > LARGEST:
                raise Illegal(f"a Buffer of {count} elements is too large to be filled here")
            self.values = [0 if self.type.is_integer else 0.0] * count
        return self.values

    def m_call(self, *arguments: Any) -> Any:
        values = call_arguments(arguments)
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
        place, step = 0, 1
        for index, (minimum, extent) in zip(indices, self.dimensions, strict=True):
            if not minimum <= index < minimum + extent:
                raise Illegal(f"element {tuple(indices)} is outside of Buffer '{self.name}'")
            place += (index - minimum) * step
            step *= extent
        return place

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
        self.image.data = _nested(self.elements(), [d[1] for d in self.dimensions])

    def expr(self) -> Expr:
        if self.dimensions:
            raise Illegal("a Buffer with dimensions is no Expr")
        return Load(self.type, self.table().name, ())

    def as_func(self) -> Any:
        from s2s.frontends.halide.evaluate.funcs import image_as_func
        from s2s.frontends.halide.evaluate.language import ImageObject

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
        return Number(len(self.elements()), "unsigned long")

    def m_set_min(self, *minima: Any) -> Any:
        for dimension, value in zip(self.dimensions, call_arguments(minima), strict=False):
            dimension[0] = integer(value, "a minimum")
        return VOID

    def m_translate(self, index: Any, by: Any) -> Any:
        self.dimensions[self._dimension(index)][0] += integer(by, "an offset")
        return VOID

    def m_fill(self, value: Any) -> Any:
        plain = number(deref(value))
        if plain is None:
            raise Illegal("an element of a Buffer must be known when the pipeline is built")
        made = typing.const(self.type, plain).value
        self.values = [made] * len(self.elements())
        return self

    def m_data(self) -> Any:
        elements = self.elements()
        return Pointer(None, elements, 0)

    m_begin = m_data

    def m_raw_buffer(self) -> Any:
        return self

    def _nothing(self, *_: Any) -> Any:
        return VOID

    m_set_host_dirty = m_copy_to_host = m_copy_to_device = m_set_name = m_device_sync = _nothing


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


def make_buffer(interpreter: Part, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    """``Buffer<T> b(3, 4)``, from an array, or empty."""
    from s2s.frontends.halide.evaluate.ports import element_type

    world = interpreter.world
    values = [deref(a) for a in arguments]
    of = element_type(type_)
    if values and isinstance(values[0], Type):
        of = values.pop(0)
    name = values.pop() if values and isinstance(values[-1], str) else None
    if not values and name is None:
        return NULL
    name = name or hint or world.program.fresh("b")
    if of is None:
        raise Illegal("a Buffer whose type is not known")
    if values and isinstance(values[0], Items) and isinstance(arguments[0], Ref):
        return _from_array(world, of, values[0], name)
    if values and isinstance(values[0], Pointer):
        return _from_pointer(world, of, values, name)
    if values and isinstance(values[0], Items):
        values = [deref(v) for v in values[0].items]
    extents = [integer(v, "an extent of a Buffer") for v in values]
    if any(e < 0 for e in extents):
        raise Illegal("a Buffer's extent is negative")
    return Buffer(world, of, extents, name)


def _from_array(world: World, of: Type, items: Items, name: str) -> Buffer:
    extents, flat = [], items.items
    extents.append(len(flat))
    while flat and isinstance(deref(flat[0]), Items):
        extents.insert(0, len(deref(flat[0]).items))
        flat = [v for row in flat for v in deref(row).items]
    made = Buffer(world, of, extents, name)
    made.values = [_plain(of, v) for v in flat]
    return made


def _from_pointer(world: World, of: Type, values: list[Any], name: str) -> Buffer:
    pointer = values[0]
    made = Buffer(world, of, [integer(v, "an extent") for v in values[1:]], name)
    count = len(made.elements())
    source = pointer.items
    if source is None or len(source) - pointer.index < count:
        raise Illegal("a Buffer over memory whose elements are not known")
    made.values = [_plain(of, v) for v in source[pointer.index : pointer.index + count]]
    return made


def _plain(of: Type, value: Any) -> int | float:
    plain = number(deref(value))
    if plain is None:
        raise Illegal("an element of a Buffer must be known when the pipeline is built")
    return typing.const(of, plain).value
