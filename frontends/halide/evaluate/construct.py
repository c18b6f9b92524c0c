"""Objects of the classes that the headers declare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.frontends.halide import typing
from s2s.frontends.halide.evaluate import ports
from s2s.frontends.halide.evaluate.buffers import Buffer
from s2s.frontends.halide.evaluate.containers import Items, Mapping, Pair, Tuples
from s2s.frontends.halide.evaluate.directives import loop_level
from s2s.frontends.halide.evaluate.funcs import FuncObject, as_func, new_func
from s2s.frontends.halide.evaluate.images import Dimensioned, ImageObject, Range, as_range
from s2s.frontends.halide.evaluate.language import FuncRef, RDom, RVar, ScalarObject, Tuple, Var
from s2s.frontends.halide.evaluate.levels import iter_level, var_extent
from s2s.frontends.halide.evaluate.made_buffers import make_buffer
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.pipelines import PipelineObject
from s2s.frontends.halide.evaluate.types import CType
from s2s.frontends.halide.evaluate.values import (
    NULL,
    UNDEFINED,
    VOID,
    Pointer,
    deref,
    describe,
    number,
)
from s2s.frontends.halide.evaluate.world import Target, integer, text_of, to_expr
from s2s.frontends.halide.schedule import inlined
from s2s.frontends.halide.schedule.levels import IterLevel, VarExtent
from s2s.scop.errors import Illegal
from s2s.scop.expressions import INT32, Expr, Type
from s2s.scop.pipeline import LoopLevel

Make = Callable[["Part", CType, list[Any], "str | None"], Any]

_SAME: dict[str, Any] = {
    "Halide::Expr": Expr,
    "Halide::Func": FuncObject,
    "Halide::Var": Var,
    "Halide::RVar": RVar,
    "Halide::RDom": RDom,
    "Halide::Tuple": Tuple,
    "Halide::FuncRef": FuncRef,
    "Halide::Range": Range,
    "Halide::Buffer": (Buffer, ImageObject),
    "Halide::ImageParam": ImageObject,
    "Halide::OutputImageParam": ImageObject,
    "Halide::LoopLevel": LoopLevel,
    "Halide::Type": Type,
    "Halide::Target": Target,
    "Halide::Pipeline": PipelineObject,
    "Halide::VarOrRVar": (Var, RVar, RDom),
    "Halide::IterLevel": IterLevel,
    "Halide::VarExtent": VarExtent,
}


def is_same(name: str, value: Any) -> bool:
    """Whether constructing a class from a value is copying it."""
    expected = _SAME.get(name)
    if expected is not None:
        return isinstance(value, expected)
    ported = FuncObject | ImageObject | ScalarObject | ports.Parameter | Items
    return name.startswith("Halide::Generator") and isinstance(value, ported)


def make(interpreter: Part, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    """A constructor of the library's."""
    maker = _MAKERS.get(type_.name)
    if maker is None:
        raise Illegal(f"'{type_.name}' is not supported")
    return maker(interpreter, type_, arguments, hint)


def default(interpreter: Part, type_: CType) -> Any:
    """A value of a class that has no initializer."""
    maker = _MAKERS.get(type_.name)
    if maker is not None:
        return maker(interpreter, type_, [], None)
    node = interpreter.find_class(type_)
    if node is None:
        if type_.name.startswith(("std::", "Halide::")):
            raise Illegal(f"'{type_.name}' is not supported")
        return NULL
    return interpreter.instance(node, None, [])


def from_list(interpreter: Part, items: Items, type_: CType) -> Any:
    """``T{...}`` where the parser left the braces as they are."""
    if type_.name in _MAKERS:
        return make(interpreter, type_, list(items.items), None)
    found = interpreter.find_class(type_)
    return items if found is None else interpreter.aggregate(found, items)


def _expr(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    if not arguments:
        return UNDEFINED
    value = deref(arguments[0])
    return UNDEFINED if value is UNDEFINED else to_expr(value)


def _var(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Var:
    program = interpreter.world.program
    if arguments:
        return Var(text_of(arguments[0]))
    return Var(program.unique(hint) if hint else program.fresh("v"))


def _rvar(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    if arguments:
        value = deref(arguments[0])
        return value.single() if isinstance(value, RDom) else RVar(text_of(value))
    program = interpreter.world.program
    return RVar(program.unique(hint) if hint else program.fresh("r"))


def _func(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    world = interpreter.world
    if not arguments:
        return new_func(world, hint)
    values = [deref(a) for a in arguments]
    if isinstance(values[0], str):
        return new_func(world, values[0])
    if len(values) == 3 and not isinstance(values[0], Expr):
        made = new_func(world, text_of(values[2]))
        types = values[0].items if isinstance(values[0], Items) else [values[0]]
        made.func.types = [deref(t) for t in types]
        made.func.vars = [f"_{i}" for i in range(integer(values[1], "dimensions"))]
        return made
    return as_func(world, values[0])


def _rdom(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> RDom:
    world = interpreter.world
    if not arguments:
        return RDom(world, None)
    values = [deref(a) for a in arguments]
    name = hint
    if isinstance(values[-1], str):
        name = values.pop()
    first = values[0]
    if isinstance(first, Dimensioned | Buffer):
        ranges = _whole(first)
    elif isinstance(first, Items):
        found = [as_range(v) for v in first.items]
        ranges = [(to_expr(r.minimum), to_expr(r.extent)) for r in found]
    else:
        if len(values) % 2:
            raise Illegal("an RDom needs pairs of a minimum and an extent")
        exprs = [to_expr(v) for v in values]
        ranges = list(zip(exprs[::2], exprs[1::2], strict=True))
    cast = [(_bound(a), _bound(b)) for a, b in ranges]
    return RDom(world, world.reduction(name or world.program.fresh("r"), cast))


def _bound(value: Expr) -> Expr:
    if not value.type.is_integer:
        raise Illegal(f"a bound of an RDom has type {value.type}; legal is int32")
    return typing.cast(INT32, value)


def _whole(image: Any) -> list[tuple[Expr, Expr]]:
    """All of an image."""
    if isinstance(image, Buffer):
        return [(to_expr(d[0]), to_expr(d[1])) for d in image.dimensions]
    rank = image.image_of().rank
    if rank < 0:
        raise Illegal(f"the number of dimensions of '{image.image_of().name}' is not known here")
    dims = [image.m_dim(i) for i in range(rank)]
    return [(d.m_min(), d.m_extent()) for d in dims]


def _tuple(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Tuple:
    values = [deref(a) for a in arguments]
    if len(values) == 1 and isinstance(values[0], Items):
        values = [deref(v) for v in values[0].items]
    if len(values) == 1 and isinstance(values[0], FuncRef):
        return Tuple(list(values[0].components()))
    if len(values) == 1 and isinstance(values[0], Tuple):
        return values[0]
    return Tuple([v if v is UNDEFINED else to_expr(v) for v in values])


def _range(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Range:
    if not arguments:
        return Range(UNDEFINED, UNDEFINED)
    return Range(*(deref(a) for a in arguments))


def _loop_level(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    world = interpreter.world
    return loop_level(tuple(arguments), world.at) if arguments else inlined(world.at)


def _halide_type(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Type:
    if not arguments:
        return Type("handle", 64)
    code = deref(arguments[0]).name.rsplit("_", 1)[-1].lower()
    return Type(code, integer(arguments[1], "bits"))


def _image_param(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    if not arguments:
        return NULL
    values = [deref(a) for a in arguments]
    name = values[2] if len(values) > 2 else hint or interpreter.world.program.fresh("p")
    rank = integer(values[1], "dimensions")
    return ImageObject(interpreter.world, interpreter.world.input_image(name, values[0], rank))


def _param(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    values = [deref(a) for a in arguments]
    names = [v for v in values if isinstance(v, str)]
    numbers = [number(v) for v in values if number(v) is not None]
    of = values[0] if values and isinstance(values[0], Type) else ports.element_type(type_)
    if of is None:
        raise Illegal("a Param without a type")
    name = names[0] if names else hint or interpreter.world.program.fresh("p")
    scalar = interpreter.world.scalar(name, of, numbers[0] if numbers else None)
    return ScalarObject(interpreter.world, scalar)


def _target(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Target:
    values = [deref(a) for a in arguments]
    if values and isinstance(values[0], str):
        return ports.target_of(values[0])
    made: Target = interpreter.world.target.copied()
    if values:
        made.features = {deref(f).name for v in values if isinstance(v, Items) for f in v.items}
        made.features -= {"JIT"}
        made.vector_bytes = ports.vector_bytes(made.features)
    return made


def _pipeline(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    if not arguments:
        return PipelineObject(interpreter.world, [])
    value = deref(arguments[0])
    funcs = [deref(v) for v in value.items] if isinstance(value, Items) else [value]
    return PipelineObject(interpreter.world, [as_func(interpreter.world, f) for f in funcs])


def _items(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    values = [deref(a) for a in arguments]
    made: Items = interpreter.converted(Items([], None, lambda: VOID), type_)
    if not values:
        return made
    first = values[0]
    if isinstance(first, Items):
        return interpreter.converted(first, type_)
    if isinstance(first, Pointer) and len(values) == 2:
        found = Items(list(first.items[first.index : values[1].index]), None, lambda: VOID)
        return interpreter.converted(found, type_)
    size = number(first)
    if size is None:
        raise Illegal(f"'{type_.name}' made of {describe(first)}")
    made.resize(int(size), values[1] if len(values) > 1 else None)
    if len(values) > 1:
        value = deref(interpreter.converted(values[1], made.element or type_.arguments[0]))
        made.items[:] = [value for _ in made.items]
    return made


def _map(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    values = [deref(a) for a in arguments]
    if values and isinstance(values[0], Mapping):
        return values[0]
    if values and isinstance(values[0], Items):
        return interpreter.converted(values[0], type_)
    return interpreter.empty_map(type_)


def _string(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> str:
    values = [deref(a) for a in arguments]
    if not values:
        return ""
    if isinstance(values[0], str):
        text = values[0]
        return text if len(values) < 2 else text[: int(number(values[1]) or 0)]
    if isinstance(values[0], Items):
        return "".join(chr(int(number(v) or 0)) for v in values[0].items)
    count, letter = (int(number(v) or 0) for v in values)
    if not 0 <= count <= 1 << 16:
        raise Illegal("a string grows too long")
    return chr(letter) * count


def _pair(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    values = [deref(a) for a in arguments]
    if not values:
        return interpreter.default_value(type_)
    if len(values) == 1:
        return interpreter.converted(values[0], type_)
    return interpreter.converted(Pair(*values), type_)


def _tuples(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    values = [deref(a) for a in arguments]
    if len(values) == 1 and isinstance(values[0], Tuples):
        return values[0]
    types = type_.arguments or (None,) * len(values)
    pairs = zip(values, types, strict=False)
    return Tuples([v if t is None else deref(interpreter.converted(v, t)) for v, t in pairs])


def _function(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    return deref(arguments[0]) if arguments else NULL


def _smart(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    return deref(arguments[0]) if arguments else NULL


def _text(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    """Streams, exceptions: the text that they hold, or nothing."""
    values = [deref(a) for a in arguments]
    return values[0] if values and isinstance(values[0], str) else ""


def _first(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    return deref(arguments[0]) if arguments else VOID


def _extent(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    """What is only handed on."""
    return Tuples([deref(a) for a in arguments])


def _float16(interpreter: Any, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    of = Type("bfloat" if "bfloat" in type_.name else "float", 16)
    return typing.const(of, number(deref(arguments[0])) or 0 if arguments else 0)


_MAKERS: dict[str, Make] = {
    "Halide::Expr": _expr,
    "Halide::Var": _var,
    "Halide::RVar": _rvar,
    "Halide::VarOrRVar": _first,
    "Halide::Func": _func,
    "Halide::RDom": _rdom,
    "Halide::Tuple": _tuple,
    "Halide::Range": _range,
    "Halide::LoopLevel": _loop_level,
    "Halide::Type": _halide_type,
    "Halide::ImageParam": _image_param,
    "Halide::Param": _param,
    "Halide::Target": _target,
    "Halide::Pipeline": _pipeline,
    "Halide::Buffer": make_buffer,
    "Halide::GeneratorInput": ports.make_input,
    "Halide::GeneratorOutput": ports.make_output,
    "Halide::GeneratorParam": ports.make_param,
    "Halide::IterLevel": lambda interpreter, type_, values, hint: iter_level(values),
    "Halide::VarExtent": lambda interpreter, type_, values, hint: var_extent(values),
    "Halide::Argument": _first,
    "Halide::ExternFuncArgument": _first,
    "Halide::float16_t": _float16,
    "Halide::bfloat16_t": _float16,
    "Halide::AutoschedulerParams": _extent,
    "Halide::MachineParams": _extent,
    "Halide::GeneratorContext": _extent,
    "Halide::Stage": _first,
    "Halide::OutputImageParam": _first,
    "Halide::FuncRef": _first,
    **dict.fromkeys(("Halide::Realization", "Halide::RealizationArg"), _extent),
    "Halide::ExprCompare": _extent,
    **dict.fromkeys(
        ("std::vector", "std::array", "std::deque", "std::list", "std::queue", "std::stack"),
        _items,
    ),
    "std::initializer_list": _items,
    **dict.fromkeys(("std::map", "std::unordered_map", "std::set", "std::unordered_set"), _map),
    "std::string": _string,
    "std::pair": _pair,
    "std::tuple": _tuples,
    "std::function": _function,
    **dict.fromkeys(("std::unique_ptr", "std::shared_ptr", "std::optional"), _smart),
    **dict.fromkeys(
        (
            *("std::ostringstream", "std::stringstream", "std::ofstream", "std::ostream"),
            *("std::runtime_error", "std::invalid_argument", "std::logic_error", "std::exception"),
            *("std::out_of_range",),
        ),
        _text,
    ),
}
