"""Generators' inputs, outputs and parameters; targets."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from s2s.frontends.halide.evaluate.containers import Items, Mapping, plain_key
from s2s.frontends.halide.evaluate.funcs import new_func
from s2s.frontends.halide.evaluate.images import ImageObject
from s2s.frontends.halide.evaluate.language import ScalarObject
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.types import SCALARS, CType
from s2s.frontends.halide.evaluate.values import VOID, deref, number, of_type, scalar_type
from s2s.frontends.halide.evaluate.world import Target, World, integer, text_of
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Type
from s2s.scop.pipeline import GeneratorParameter

_NARROW_FLOATS = {"Halide::float16_t": Type("float", 16), "Halide::bfloat16_t": Type("bfloat", 16)}
UNKNOWN = Type("handle", 0)
"""The type of a port that is not known yet."""


def element_type(type_: CType) -> Type | None:
    """``T`` of ``Buffer<T, D>`` or ``Param<T>``; None for void."""
    first = type_.arguments[0] if type_.arguments else None
    return None if first is None else halide_type(first)


def halide_type(type_: CType) -> Type | None:
    if type_.name in SCALARS and not type_.pointer:
        return scalar_type(type_.name)
    return _NARROW_FLOATS.get(type_.name)


def rank_of(type_: CType) -> int:
    """``D`` of ``Buffer<T, D>``, -1 where it is not given."""
    if len(type_.arguments) < 2 or not re.fullmatch(r"-?\d+", type_.arguments[1].name):
        return -1
    return int(type_.arguments[1].name)


def make_input(interpreter: Part, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    """``Input<T> name{"name", ...}``."""
    return _make("input", _input, interpreter, *_port(interpreter, type_, arguments, hint))


def make_output(interpreter: Part, type_: CType, arguments: list[Any], hint: str | None) -> Any:
    """``Output<T> name{"name", ...}``."""
    return _make("output", _output, interpreter, *_port(interpreter, type_, arguments, hint))


def _make(
    side: str, one: Callable[..., Any], interpreter: Part, port: _Port, name: str, values: list[Any]
) -> Any:
    """A port, or an array of ports."""
    world = interpreter.world
    if port.is_array:
        made = Items([], port.element, lambda: VOID)
        size = _array_size(world, port, name)
        made.items[:] = [one(world, port.element, f"{name}_{i}", values) for i in range(size)]
    else:
        made = one(world, port.element, name, values)
    world.ports.append((side, name, made))
    return made


class _Port:
    """What a port's type says: ``element`` is T, of T[] or T[N] the T."""

    def __init__(self, type_: CType) -> None:
        inner = type_.arguments[0]
        self.is_array = bool(inner.extents)
        self.size = inner.extents[0] if inner.extents else -1
        self.element = CType(inner.name, inner.arguments)


def _port(
    interpreter: Part, type_: CType, arguments: list[Any], hint: str | None
) -> tuple[_Port, str, list[Any]]:
    values = [deref(a) for a in arguments]
    port = _Port(type_)
    if values and number(values[0]) is not None and len(values) > 1:
        port.is_array, port.size = True, integer(values.pop(0), "the size of an array")
    name = text_of(values.pop(0)) if values else hint or "port"
    return port, name, values


def _array_size(world: World, port: _Port, name: str) -> int:
    size = port.size
    given = world.parameters.get(f"{name}.size")
    if given is not None:
        world.used.add(f"{name}.size")
        size = int(given)
    if size < 0:
        raise Illegal(f"the size of '{name}' is not known; give it as {name}.size=N")
    return size


def _types_and_rank(
    world: World, element: CType, name: str, values: list[Any]
) -> tuple[list[Type], int]:
    """What the declaration and the command line say about an image or a Func."""
    types: list[Type] = []
    rank = -1
    if element.name.endswith("Buffer"):
        of = element_type(element)
        types = [] if of is None else [of]
        rank = rank_of(element)
    for value in values:
        if isinstance(value, Type):
            types = [value]
        elif isinstance(value, Items):
            types = [deref(v) for v in value.items]
        elif number(value) is not None:
            rank = integer(value, "dimensions")
        else:
            inner = getattr(value, "scalar_value", None)
            if isinstance(inner, Type):
                types = [inner]
    return _given(world, name, types, rank)


def _given(world: World, name: str, types: list[Type], rank: int) -> tuple[list[Type], int]:
    base = re.sub(r"_\d+$", "", name)
    for key in (f"{name}.type", f"{base}.type"):
        if key in world.parameters and not types:
            world.used.add(key)
            types = [parse_type(t) for t in world.parameters[key].split(",")]
    for key in (f"{name}.dim", f"{base}.dim"):
        if key in world.parameters and rank < 0:
            world.used.add(key)
            rank = int(world.parameters[key])
    return types, rank


def _is_image(element: CType) -> bool:
    return element.name.rsplit("::", 1)[-1] in ("Buffer", "Func")


def _input(world: World, element: CType, name: str, values: list[Any]) -> Any:
    if _is_image(element):
        types, rank = _types_and_rank(world, element, name, values)
        image = world.input_image(name, types[0] if types else UNKNOWN, rank)
        return InputImage(world, image)
    of = halide_type(element)
    defaults = [number(v) for v in values if number(v) is not None]
    if of is None:
        types, _ = _given(world, name, [v for v in values if isinstance(v, Type)], -1)
        if not types:
            raise Illegal(f"Input '{name}' of type {element.name} is not supported")
        of = types[0]
    return ScalarObject(world, world.scalar(name, of, defaults[0] if defaults else None))


class InputImage(ImageObject):
    """An ``Input<Buffer<...>>``; its type and rank may be set by ``configure``."""

    def m_set_type(self, type_: Any) -> Any:
        self.image.type = deref(type_)
        return VOID

    def m_set_dimensions(self, count: Any) -> Any:
        self.image.rank = integer(count, "dimensions")
        return VOID

    def m_call(self, *arguments: Any) -> Any:
        self.settled()
        return super().m_call(*arguments)

    def m_type(self) -> Type:
        self.settled()
        return self.image.type

    def settled(self) -> None:
        """Refuse a type that nobody gave."""
        if self.image.type is UNKNOWN:
            name = self.image.name
            raise Illegal(f"the type of Input '{name}' is not known; give it as {name}.type=uint8")


def _output(world: World, element: CType, name: str, values: list[Any]) -> Any:
    made = new_func(world, name)
    if _is_image(element):
        types, rank = _types_and_rank(world, element, name, values)
        made.func.types = types
        if rank >= 0:
            made.func.vars = [f"_{i}" for i in range(rank)]
        return made
    of = halide_type(element)
    if of is None:
        raise Illegal(f"Output '{name}' of type {element.name} is not supported")
    made.func.types = [of]
    return made


class Parameter:
    """A ``GeneratorParam<T>``: ``scalar_value`` is its value."""

    words = "a GeneratorParam"

    def __init__(self, name: str, value: Any) -> None:
        self.name, self.scalar_value = name, value

    def expr(self) -> Any:
        from s2s.frontends.halide.evaluate.world import to_expr

        return to_expr(self.scalar_value)

    def m_name(self) -> str:
        return self.name

    def m_value(self) -> Any:
        return self.scalar_value

    def m_set(self, value: Any) -> Any:
        self.scalar_value = deref(value)
        return VOID


def make_param(
    interpreter: Part, type_: CType, arguments: list[Any], hint: str | None
) -> Parameter:
    """``GeneratorParam<T> name{"name", default, ...}``."""
    world = interpreter.world
    values = [deref(a) for a in arguments]
    name = text_of(values[0]) if values else hint or "parameter"
    of = type_.arguments[0]
    names = next((v for v in values if isinstance(v, Mapping | Items)), None)
    given = world.parameters.get(name)
    if given is None:
        default = values[1] if len(values) > 1 else interpreter.default_value(of)
        made = Parameter(name, deref(interpreter.converted(default, of)))
    else:
        world.used.add(name)
        made = Parameter(name, _given_value(interpreter, name, given, of, names))
        _check_range(name, made.scalar_value, values[2:])
    world.generator_parameters[name] = _declared(made, of, values[2:], names)
    return made


def _given_value(interpreter: Part, name: str, given: str, of: CType, names: Any) -> Any:
    try:
        return _parsed(given, of, interpreter.converted(names, _NAMES_OF(of)) if names else None)
    except (ValueError, KeyError):
        raise Illegal(f"'{given}' is no value for the generator parameter '{name}'") from None


def _declared(made: Parameter, of: CType, more: list[Any], names: Any) -> GeneratorParameter:
    """What is known of a parameter apart from its use."""
    value = made.scalar_value
    plain = number(value)
    shown = value if isinstance(value, str) else "" if plain is None else str(plain)
    if of.name == "bool":
        shown = "true" if plain else "false"
    bounds = [number(b) for b in more if number(b) is not None]
    least, most = bounds if len(bounds) == 2 else (None, None)
    choices = tuple(map(str, names.items)) if isinstance(names, Mapping) else ()
    return GeneratorParameter(made.name, of.name, shown, least, most, choices)


def _NAMES_OF(of: CType) -> CType:
    return CType("std::map", (CType("std::string"), of))


def _check_range(name: str, value: Any, bounds: list[Any]) -> None:
    numbers = [number(b) for b in bounds if number(b) is not None]
    plain = number(value)
    if len(numbers) == 2 and plain is not None:
        low, high = numbers
        if low is not None and high is not None and not low <= plain <= high:
            raise Illegal(f"generator parameter '{name}' is {plain}; legal is {low} to {high}")


def _parsed(text: str, of: CType, names: Any) -> Any:
    """A value from the command line."""
    if isinstance(names, Mapping):
        if plain_key(text) not in names.items:
            legal = ", ".join(str(k) for k in names.items)
            raise Illegal(f"'{text}' is none of {legal}")
        return names.entry(text).fields["second"]
    if of.name == "bool":
        return {"true": True, "1": True, "false": False, "0": False}[text.lower()]
    if of.name in SCALARS:
        signed, _ = SCALARS[of.name]
        return of_type(float(text) if signed is None else int(text, 0), of.name)
    if of.name == "std::string":
        return text
    if of.name == "Halide::Type":
        return parse_type(text)
    if of.name == "Halide::Target":
        return target_of(text)
    raise Illegal(f"a generator parameter of type {of.name} cannot be given")


def parse_type(text: str) -> Type:
    """``uint8``, ``float32``, ``bool``..."""
    if text == "bool":
        return Type("uint", 1)
    found = re.fullmatch(r"(int|uint|float|bfloat)(\d+)", text.strip())
    if found is None:
        raise Illegal(f"'{text}' is no type; legal are int8, uint16, float32...")
    return Type(found[1], int(found[2]))


_FEATURES = {
    "sse41": "SSE41",
    "avx": "AVX",
    "avx2": "AVX2",
    "fma": "FMA",
    "f16c": "F16C",
    "avx512": "AVX512",
    "avx512_skylake": "AVX512_Skylake",
    "avx512_cannonlake": "AVX512_Cannonlake",
    "strict_float": "StrictFloat",
    "no_asserts": "NoAsserts",
    "no_bounds_query": "NoBoundsQuery",
    "large_buffers": "LargeBuffers",
    "clockwork": "Clockwork",
    "coreir": "CoreIR",
    "hls": "HLS",
    "cuda": "CUDA",
    "opencl": "OpenCL",
    "metal": "Metal",
    "profile": "Profile",
}


def target_of(text: str) -> Target:
    """A target from its name, as Halide spells it; ``host`` is the default one."""
    words = [w for w in text.lower().replace("_", "-").split("-") if w]
    whole = text.lower().split("-")
    features = {_FEATURES[w] for w in whole if w in _FEATURES}
    if "host" in words:
        features |= Target().features
    return Target(text, vector_bytes(features), features)


def vector_bytes(features: set[str]) -> int:
    """The width of vectors."""
    if any(f.startswith("AVX512") for f in features):
        return 64
    return 32 if "AVX2" in features or "AVX" in features else 16


class Native:
    """What a generator inherits from Halide."""

    words = "a generator"

    def __init__(self, world: World) -> None:
        self.world = world

    def member(self, name: str) -> Any:
        if name == "target":
            return Parameter("target", self.world.target)
        if name in ("auto_schedule", "machine_params"):
            return Parameter(name, False)
        raise Illegal(f"'{name}' of a generator is not supported")

    def m_get_target(self) -> Target:
        return self.world.target

    m_context = m_get_target

    def m_using_autoscheduler(self) -> bool:
        return False

    def m_natural_vector_size(self, type_: Any) -> int:
        bits = max(int(deref(type_).bits), 8)
        return max(1, self.world.target.vector_bytes * 8 // bits)

    def m_add_requirement(self, condition: Any, *message: Any) -> Any:
        from s2s.frontends.halide.evaluate.world import to_expr

        text = " ".join(str(deref(m)) for m in message)
        self.world.requirements.append((to_expr(condition), text))
        return VOID
