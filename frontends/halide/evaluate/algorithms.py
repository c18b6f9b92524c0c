"""Functions of the C and C++ libraries that metaprograms call."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from s2s.frontends.halide.evaluate.containers import Items, Pair, Tuples, copy_value, plain_key
from s2s.frontends.halide.evaluate.objects import Stopped
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.sequences import (
    accumulate,
    begin,
    distance,
    element,
    end,
    fill,
    find,
    find_if,
    for_each,
    iota,
    quantified,
    reverse,
    sort,
)
from s2s.frontends.halide.evaluate.syntax import Node
from s2s.frontends.halide.evaluate.types import SCALARS, CType, ctype
from s2s.frontends.halide.evaluate.values import (
    NULL,
    STREAM,
    VOID,
    Cell,
    Number,
    Pointer,
    Ref,
    Slot,
    Void,
    arithmetic,
    deref,
    describe,
    number,
    of_type,
    truth,
)
from s2s.scop.errors import Illegal

_MATH: dict[str, Callable[..., float]] = {
    name: getattr(math, name)
    for name in (
        *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "sqrt"),
        *("exp", "log2", "log10", "fabs", "fmod", "hypot", "copysign", "ldexp", "erf", "cbrt"),
        "exp2",
    )
}
_MATH |= {
    "log": math.log,
    "floor": lambda x: float(math.floor(x)),
    "ceil": lambda x: float(math.ceil(x)),
    "trunc": lambda x: float(math.trunc(x)),
    "round": lambda x: math.copysign(math.floor(abs(x) + 0.5), x),
    "rint": lambda x: float(round(x)),
    "fmin": min,
    "fmax": max,
    "pow": lambda x, y: float(x) ** y,
}


def standard(interpreter: Part, name: str, node: Node, arguments: list[Any]) -> Any:
    """A function by name; raises Illegal for one that is not known."""
    values = [deref(a) for a in arguments]
    base = name[:-1] if name.endswith("f") and name[:-1] in _MATH else name
    if base in _MATH:
        return _computed(base, values, node)
    found = _FUNCTIONS.get(name)
    if found is None:
        raise Illegal(f"'{name}' is not supported")
    return found(interpreter, node, arguments)


def _computed(name: str, values: list[Any], node: Node) -> Any:
    plain = [number(v) for v in values]
    if any(p is None for p in plain):
        raise Illegal(f"'{name}' of {describe(values[0])}")
    try:
        result = _MATH[name](
            *(
                float(p or 0) if name != "ldexp" or i == 0 else int(p or 0)
                for i, p in enumerate(plain)
            )
        )
    except (ValueError, OverflowError, ZeroDivisionError):
        result = math.nan
    if isinstance(result, complex):
        result = math.nan
    declared = ctype(node.type).name
    return of_type(result, declared if declared in SCALARS else "double")


def limit(name: str, type_: CType) -> Any:
    """``std::numeric_limits<T>::name()``."""
    signed, bits = SCALARS.get(type_.name, (True, 32))
    if signed is None:
        single = bits == 32
        value = {
            "max": 3.4028234663852886e38 if single else 1.7976931348623157e308,
            "lowest": -3.4028234663852886e38 if single else -1.7976931348623157e308,
            "min": 1.1754943508222875e-38 if single else 2.2250738585072014e-308,
            "infinity": math.inf,
            "epsilon": 2.0**-23 if single else 2.0**-52,
            "quiet_NaN": math.nan,
        }[name]
        return (
            of_type(value, type_.name)
            if math.isfinite(value)
            else (Number(value, "float") if single else value)
        )
    largest = (1 << (bits - int(bool(signed)))) - 1
    if name not in ("min", "max", "lowest"):
        raise Illegal(f"'std::numeric_limits::{name}' of an integer type is not supported")
    return of_type(largest if name == "max" else -largest - 1 if signed else 0, type_.name)


def _absolute(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    value = deref(arguments[0])
    plain = number(value)
    if plain is None:
        raise Illegal(f"'abs' of {describe(value)}")
    return arithmetic("*", value, -1) if plain < 0 else value


def _extreme(pick: Callable[..., Any]) -> Callable[..., Any]:
    def function(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
        values = [deref(a) for a in arguments]
        if len(values) == 1 and isinstance(values[0], Items):
            values = [deref(v) for v in values[0].items]
        if any(number(v) is None for v in values):
            return pick(values, key=plain_key)
        return pick(values, key=lambda v: number(v))

    return function


def _clamp(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    value, low, high = (deref(a) for a in arguments)
    if (number(value) or 0) < (number(low) or 0):
        return low
    return high if (number(value) or 0) > (number(high) or 0) else value


def _same(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    return arguments[0]


def _nothing(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    return VOID


def _stream(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    return STREAM


def _exit(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    raise Stopped


def _assert(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    if not truth(deref(arguments[0])):
        raise Illegal("an assertion of the program fails")
    return VOID


def _make_pair(interpreter: Any, node: Node, arguments: list[Any]) -> Pair:
    return Pair(*(copy_value(deref(a)) for a in arguments))


def _make_tuple(interpreter: Any, node: Node, arguments: list[Any]) -> Tuples:
    return Tuples([copy_value(deref(a)) for a in arguments])


def _tie(interpreter: Any, node: Node, arguments: list[Any]) -> Tuples:
    return Tuples(list(arguments))


def _get(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    value = deref(arguments[0])
    called = node.referenced or node
    index = called.cursor.get_template_argument_value(0)
    if isinstance(value, Pair):
        return Slot(value.fields, ("first", "second")[index])
    if not isinstance(value, Tuples):
        raise Illegal(f"'std::get' of {describe(value)}")
    found = value.values[index]
    return found if isinstance(found, Ref) else Slot(value.values, index)


def _swap(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    first, second = arguments
    one, other = deref(first), deref(second)
    first.set(other)
    second.set(one)
    return VOID


def _to_string(interpreter: Any, node: Node, arguments: list[Any]) -> str:
    value = number(deref(arguments[0]))
    if value is None:
        raise Illegal("'std::to_string' of something that is no number")
    return f"{value:f}" if isinstance(value, float) else str(int(value))


def _parsed(kind: Callable[[str], Any], name: str) -> Callable[..., Any]:
    def function(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
        text = deref(arguments[0])
        try:
            return of_type(kind(text), name)
        except (ValueError, TypeError):
            raise Illegal(f"'{text}' is no number") from None

    return function


def _make_unique(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    from s2s.frontends.halide.evaluate import construct
    from s2s.frontends.halide.evaluate.templates import template_argument

    type_ = template_argument(node)
    class_ = interpreter.find_class(type_)
    if class_ is not None:
        return Pointer(Cell(interpreter.emplaced(class_, arguments)))
    return Pointer(Cell(construct.make(interpreter, type_, arguments, None)))


def _strcmp(interpreter: Any, node: Node, arguments: list[Any]) -> int:
    one, other = (str(deref(a)) for a in arguments)
    return (one > other) - (one < other)


def _strlen(interpreter: Any, node: Node, arguments: list[Any]) -> Number:
    return Number(len(str(deref(arguments[0]))), "unsigned long")


def _environment(interpreter: Any, node: Node, arguments: list[Any]) -> Void:
    return NULL


def _gcd(pick: Callable[[int, int], int]) -> Callable[..., Any]:
    def function(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
        one, other = (int(number(deref(a)) or 0) for a in arguments)
        return pick(one, other)

    return function


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("abs", "labs"), _absolute),
    "min": _extreme(min),
    "max": _extreme(max),
    "clamp": _clamp,
    **dict.fromkeys(("move", "forward"), _same),
    **dict.fromkeys(
        (
            *("printf", "fprintf", "puts", "fflush", "srand", "remove", "snprintf", "free"),
            "system",
        ),
        _nothing,
    ),
    **dict.fromkeys(("setw", "setprecision", "setfill", "endl", "flush", "fixed"), _stream),
    **dict.fromkeys(("exit", "abort"), _exit),
    "s2s_assert": _assert,
    "make_pair": _make_pair,
    "make_tuple": _make_tuple,
    "tie": _tie,
    "get": _get,
    "swap": _swap,
    "to_string": _to_string,
    **dict.fromkeys(("stoi", "atoi"), _parsed(int, "int")),
    "stol": _parsed(int, "long"),
    **dict.fromkeys(("stod", "atof"), _parsed(float, "double")),
    "stof": _parsed(float, "float"),
    **dict.fromkeys(("make_unique", "make_shared"), _make_unique),
    "begin": begin,
    "end": end,
    "sort": sort,
    "reverse": reverse,
    "find": find,
    "find_if": find_if,
    "any_of": quantified(any_=True, wanted=True),
    "all_of": quantified(any_=False, wanted=False),
    "none_of": quantified(any_=True, wanted=False),
    "fill": fill,
    "iota": iota,
    "accumulate": accumulate,
    "max_element": element(max),
    "min_element": element(min),
    "distance": distance,
    "for_each": for_each,
    "strcmp": _strcmp,
    "strlen": _strlen,
    "getenv": _environment,
    "gcd": _gcd(math.gcd),
    "lcm": _gcd(math.lcm),
    "isnan": lambda interpreter, node, arguments: math.isnan(number(deref(arguments[0])) or 0),
    "isinf": lambda interpreter, node, arguments: math.isinf(number(deref(arguments[0])) or 0),
    "__builtin_inff": lambda interpreter, node, arguments: Number(math.inf, "float"),
    "__builtin_inf": lambda interpreter, node, arguments: math.inf,
    "__builtin_nanf": lambda interpreter, node, arguments: Number(math.nan, "float"),
}
