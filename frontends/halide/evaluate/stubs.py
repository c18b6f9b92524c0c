"""Generators inside of generators: ``create<G>()`` and ``apply``."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide.evaluate.containers import Items
from s2s.frontends.halide.evaluate.funcs import FuncObject, as_func
from s2s.frontends.halide.evaluate.language import ScalarObject
from s2s.frontends.halide.evaluate.objects import Instance
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.syntax import Node
from s2s.frontends.halide.evaluate.templates import template_argument
from s2s.frontends.halide.evaluate.values import VOID, Cell, Pointer, deref
from s2s.frontends.halide.evaluate.world import to_expr
from s2s.scop.errors import Illegal


def call(interpreter: Part, name: str, value: Instance, arguments: list[Any], node: Node) -> Any:
    """``create<G>()`` gives an object of G; ``object->apply(inputs...)`` runs it."""
    if name == "create":
        return Pointer(Cell(_create(interpreter, node)))
    return _apply(interpreter, value, arguments)


def _create(interpreter: Part, node: Node) -> Instance:
    type_ = template_argument(node)
    class_ = interpreter.find_class(type_)
    if class_ is None or not class_.generates:
        raise Illegal(f"'create' of '{type_.name}', which is no generator of this file")
    world = interpreter.world
    outer, world.ports = world.ports, []
    parameters, world.parameters = world.parameters, {}
    try:
        made = interpreter.instance(class_, class_.method(class_.name, 0), [])
        configure = class_.method("configure", 0)
        if configure is not None:
            interpreter.invoke(configure, [], made)
        made.native.ports = world.ports
    finally:
        world.ports, world.parameters = outer, parameters
    return made


def _apply(interpreter: Part, instance: Instance, arguments: list[Any]) -> Any:
    inputs = [(n, port) for kind, n, port in instance.native.ports if kind == "input"]
    if len(inputs) != len(arguments):
        raise Illegal(f"a generator with {len(inputs)} inputs is applied to {len(arguments)}")
    for (_, port), argument in zip(inputs, arguments, strict=True):
        place = next(r for r in instance.fields.values() if r.get() is port)
        place.set(_given(interpreter, port, deref(argument)))
    for step in ("generate", "schedule"):
        method = instance.class_.method(step, 0)
        if method is not None:
            interpreter.invoke(method, [], instance)
    return VOID


def _given(interpreter: Part, port: Any, value: Any) -> Any:
    """What stands for a port inside, for what is given to it; the port's own image goes."""
    world = interpreter.world
    if isinstance(port, Items):
        values = value.items if isinstance(value, Items) else [value]
        pairs = zip(port.items, values, strict=True)
        return Items([_given(interpreter, p, deref(v)) for p, v in pairs], port.element, port.make)
    if isinstance(port, ScalarObject):
        world.scalars.pop(port.scalar.name, None)
        return to_expr(value)
    if isinstance(port, FuncObject):
        return as_func(world, value)
    world.images.pop(port.image.name, None)
    return value if hasattr(value, "image_of") else as_func(world, value)
