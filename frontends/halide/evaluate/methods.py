"""Methods and conversions that the headers declare, by the object that they are called on."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.evaluate import ports, reductions, stubs
from s2s.frontends.halide.evaluate.buffers import Buffer
from s2s.frontends.halide.evaluate.containers import (
    Items,
    Mapping,
    items_method,
    mapping_method,
    string_method,
)
from s2s.frontends.halide.evaluate.each_element import for_each
from s2s.frontends.halide.evaluate.funcs import FuncObject, StageObject, as_func
from s2s.frontends.halide.evaluate.images import ImageObject
from s2s.frontends.halide.evaluate.objects import Instance
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.pipelines import ENDS, PipelineObject, ask
from s2s.frontends.halide.evaluate.syntax import Node
from s2s.frontends.halide.evaluate.templates import template_argument, template_type
from s2s.frontends.halide.evaluate.types import CType
from s2s.frontends.halide.evaluate.values import (
    NULL,
    STREAM,
    VOID,
    Cell,
    Enumerator,
    Pointer,
    Ref,
    deref,
    describe,
    number,
    unwrap_parameter,
)
from s2s.frontends.halide.evaluate.world import Target, integer
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Expr, Type


def conversion(interpreter: Part, value: Any, type_: CType) -> Any:
    """``operator T`` of an object of the library's."""
    found = unwrap_parameter(value)
    if found is not value:
        return interpreter.converted(found, type_)
    if type_.name == "bool":
        return value is not NULL
    if type_.name in ("Halide::Stage",) and isinstance(value, FuncObject):
        return value.stage(0)
    if isinstance(value, Loaded):
        return _loaded(interpreter, value, type_)
    if type_.name == "Halide::Buffer":
        return value
    if type_.name.endswith("ImageParam") and isinstance(value, FuncObject):
        return value.m_output_buffer()
    return interpreter.converted(value, type_)


class Loaded:
    """An image that is read from a file: its type and rank are where it goes."""

    words = "an image from a file"

    def __init__(self, path: str) -> None:
        self.path = path


def _loaded(interpreter: Part, value: Loaded, type_: CType) -> Any:
    """An image of a file: one that the caller passes."""
    of = ports.element_type(type_)
    if of is None:
        raise Illegal("an image whose type is not known")
    stem = re.sub(r"\W", "_", value.path.rsplit("/", 1)[-1].split(".")[0]) or "image"
    name = interpreter.hint or stem
    return ImageObject(
        interpreter.world, interpreter.world.input_image(name, of, ports.rank_of(type_))
    )


def method(interpreter: Part, target: Any, name: str, arguments: list[Any], node: Node) -> Any:
    """A method that the headers declare, on an object (or the place of one)."""
    value = deref(target)
    if isinstance(value, Items):
        return _container_method(interpreter, value, name, arguments)
    if isinstance(value, Mapping):
        return _known(mapping_method, value, name, arguments, "std::map")
    if isinstance(value, str):
        return _known(string_method, target, name, arguments, "std::string")
    if value is STREAM:
        return STREAM
    if isinstance(value, FuncObject | PipelineObject) and name in ENDS:
        outputs = [value] if isinstance(value, FuncObject) else value.outputs
        ask(interpreter.world, outputs, name, arguments)
        return VOID
    if isinstance(value, Instance):
        return _of_generator(interpreter, value, name, arguments, node)
    if isinstance(value, FuncObject | StageObject | PipelineObject):
        return value.call(name, arguments)
    if isinstance(value, Type):
        return _type_method(value, name, arguments)
    if isinstance(value, Target):
        return _target_method(value, name, arguments, node)
    if isinstance(value, Expr):
        return _expr_method(value, name, arguments)
    if isinstance(value, Pointer) or value is NULL:
        return _pointer_method(target, value, name, arguments)
    return _object_method(interpreter, target, value, name, arguments, node)


def _container_method(interpreter: Part, value: Items, name: str, arguments: list[Any]) -> Any:
    element = value.element
    if name == "emplace_back":
        from s2s.frontends.halide.evaluate import construct

        if element is None:
            made = deref(arguments[0])
        elif len(arguments) == 1:
            made = interpreter.converted(arguments[0], element)
        elif interpreter.find_class(element) is not None:
            class_ = interpreter.find_class(element)
            assert class_ is not None
            made = interpreter.emplaced(class_, arguments)
        else:
            made = construct.make(interpreter, element, arguments, None)
        name, arguments = "push_back", [made]
    elif name in _TAKING and element is not None:
        place = 0 if name.startswith(("push", "fill")) else 1
        arguments = [
            interpreter.converted(a, element)
            if i >= place and not isinstance(deref(a), Pointer)
            else a
            for i, a in enumerate(arguments)
        ]
    if name in ("set_type", "set_dimensions"):
        for item in value.items:
            getattr(deref(item), f"m_{name}")(*arguments)
        return VOID
    return _known(items_method, value, name, arguments, "std::vector")


_TAKING = frozenset({"push_back", "push", "push_front", "resize", "fill", "insert", "assign"})


def _known(
    method: Callable[..., Any], value: Any, name: str, arguments: list[Any], words: str
) -> Any:
    try:
        return method(value, name, arguments)
    except KeyError:
        raise Illegal(f"'{words}::{name}' is not supported") from None


def _object_method(
    interpreter: Part, target: Any, value: Any, name: str, arguments: list[Any], node: Node
) -> Any:
    if isinstance(value, Buffer) and name in ("for_each_element", "for_each_value"):
        return for_each(interpreter, value, name, deref(arguments[0]))
    found = getattr(value, "m_" + name, None)
    if found is not None:
        return found(*arguments)
    inner = unwrap_parameter(value)
    if inner is not value:
        if name == "min" or name == "max":
            return _type_method(inner, name, arguments)
        return method(interpreter, inner, name, arguments, node)
    if getattr(value, "image_of", None) is not None or hasattr(value, "as_func"):
        return as_func(interpreter.world, value).call(name, arguments)
    if name == "set":
        if not isinstance(target, Ref):
            raise Illegal("'set' of a value")
        target.set(deref(arguments[0]))
        return VOID
    if name == "str":
        return ""
    raise Illegal(f"'{name}' of {describe(value)} is not supported")


def _of_generator(
    interpreter: Part, value: Instance, name: str, arguments: list[Any], node: Node
) -> Any:
    native = value.native
    if native is None:
        raise Illegal(f"'{name}' of {describe(value)} is not supported")
    if name in ("create", "apply"):
        return stubs.call(interpreter, name, value, arguments, node)
    if name in ("natural_vector_size", "add_input", "add_output"):
        return _generator_template(interpreter, native, name, arguments, node)
    found = getattr(native, "m_" + name, None)
    if found is None:
        raise Illegal(f"'Generator::{name}' is not supported")
    return found(*arguments)


def _generator_template(
    interpreter: Part, native: Any, name: str, arguments: list[Any], node: Node
) -> Any:
    if name == "natural_vector_size":
        of = unwrap_parameter(deref(arguments[0])) if arguments else template_type(node)
        return native.m_natural_vector_size(of)
    port = CType("", (template_argument(node),))
    make = ports.make_input if name == "add_input" else ports.make_output
    return Pointer(Cell(make(interpreter, port, arguments, None)))


def _pointer_method(target: Any, value: Any, name: str, arguments: list[Any]) -> Any:
    if name == "defined":
        return False
    if name in ("get", "value"):
        return value
    if name == "has_value":
        return value is not NULL
    if name == "reset":
        target.set(deref(arguments[0]) if arguments else NULL)
        return VOID
    raise Illegal(f"'{name}' of {describe(value)} is not supported")


def _type_method(value: Type, name: str, arguments: list[Any]) -> Any:
    simple: dict[str, Callable[[], Any]] = {
        "bits": lambda: value.bits,
        "bytes": lambda: (value.bits + 7) // 8,
        "lanes": lambda: 1,
        "is_bool": lambda: value == Type("uint", 1),
        "is_float": lambda: value.is_float,
        "is_bfloat": lambda: value.code == "bfloat",
        "is_int": lambda: value.code == "int",
        "is_uint": lambda: value.code == "uint",
        "is_int_or_uint": lambda: value.is_integer,
        "is_handle": lambda: value.code == "handle",
        "is_scalar": lambda: True,
        "is_vector": lambda: False,
        "element_of": lambda: value,
        "widen": lambda: Type(value.code, value.bits * 2),
        "narrow": lambda: Type(value.code, value.bits // 2),
        "max": lambda: reductions.extreme_value(value, least=False),
        "min": lambda: reductions.extreme_value(value, least=True),
        "code": lambda: Enumerator(f"halide_type_{value.code}", 0, "halide_type_code_t"),
    }
    if name in simple:
        return simple[name]()
    if name == "with_bits":
        return Type(value.code, integer(arguments[0], "bits"))
    if name == "with_code":
        return Type(deref(arguments[0]).name.rsplit("_", 1)[-1].lower(), value.bits)
    if name == "with_lanes":
        return value
    if name == "can_represent":
        return _can_represent(value, deref(arguments[0]))
    if name == "is_max":
        return number(deref(arguments[0])) == value.largest
    if name == "is_min":
        return number(deref(arguments[0])) == value.smallest
    raise Illegal(f"'Type::{name}' is not supported")


def _can_represent(value: Type, other: Any) -> bool:
    if isinstance(other, Type):
        return typing.can_represent(value, other)
    plain = number(other) or 0
    return typing.const(value, plain).value == plain


def _target_method(value: Target, name: str, arguments: list[Any], node: Node) -> Any:
    values = [deref(a) for a in arguments]
    if name == "has_feature":
        return values[0].name in value.features
    if name in ("features_any_of", "features_all_of"):
        found = [deref(f).name in value.features for f in values[0].items]
        return any(found) if name == "features_any_of" else all(found)
    if name in ("has_gpu_feature", "supports_device_api"):
        return False
    if name in ("with_feature", "without_feature", "set_feature"):
        made = value if name == "set_feature" else value.copied()
        change = made.features.discard if name == "without_feature" else made.features.add
        change(values[0].name)
        return made
    if name == "natural_vector_size":
        of = values[0] if values else ports.halide_type(template_argument(node))
        return max(1, value.vector_bytes * 8 // max(of.bits if of else 8, 8))
    if name == "to_string":
        return value.text
    if name == "supports_type":
        return True
    raise Illegal(f"'Target::{name}' is not supported")


def _expr_method(value: Expr, name: str, arguments: list[Any]) -> Any:
    if name == "type":
        return value.type
    if name == "defined":
        return True
    if name == "same_as":
        return deref(arguments[0]) is value
    if name in ("min", "max", "extent", "set_min_value"):
        return value
    raise Illegal(f"'Expr::{name}' is not supported")
