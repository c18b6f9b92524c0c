"""``Buffer<T>(...)``: from extents, an array, or memory."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.evaluate.buffers import Buffer
from s2s.frontends.halide.evaluate.containers import Items
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.types import CType
from s2s.frontends.halide.evaluate.values import NULL, Pointer, Ref, deref, number
from s2s.frontends.halide.evaluate.world import World, integer
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Type


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
