"""Halide's functions on expressions, by name: mathematics, fixed point, hints.

``FUNCTIONS[name](*operands)`` makes the expression; operands are expressions, or C++ ints where
Halide has an overload for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from s2s.frontends.halide import typing
from s2s.frontends.halide.typing import binary, cast, const, defined, match_bits, match_types
from s2s.scop.errors import Illegal
from s2s.scop.expressions import BOOL, FLOAT32, INT32, Call, Const, Expr, Type

_FLOAT64 = Type("float", 64)
_FLOAT16 = Type("float", 16)


def to_expr(value: Expr | int) -> Expr:
    """A C++ int as the expression that Halide makes of it."""
    return value if isinstance(value, Expr) else const(INT32, int(value))


def _float_type(type_: Type) -> Type:
    return type_ if type_ in (_FLOAT64, _FLOAT16) else FLOAT32


def _on_floats(name: str, *operands: Expr) -> Expr:
    """A function of floats; what is not float64 or float16 becomes float32."""
    defined(name, *operands)
    operands = tuple(map(to_expr, operands))
    type_ = _float_type(operands[0].type)
    return Call(type_, name, tuple(cast(type_, o) for o in operands))


def _keeping_float(name: str, value: Expr) -> Expr:
    """A function on any float type; integers become float32."""
    defined(name, value)
    value = value if value.type.is_float else cast(FLOAT32, value)
    return Call(value.type, name, (value,))


def _test(name: str, value: Expr) -> Expr:
    defined(name, value)
    if not value.type.is_float:
        raise Illegal(f"{name} only works for float")
    type_ = _float_type(value.type)
    return Call(BOOL, name, (cast(type_, value),))


def _fast(name: str, value: Expr) -> Expr:
    defined(name, value)
    if value.type not in (FLOAT32, _FLOAT16):
        raise Illegal(f"{name} only takes float16 or float32 arguments")
    return Call(value.type, name, (value,))


def power(base: Expr, exponent: Expr | int) -> Expr:
    """``pow``: by a literal integer it is products."""
    exponent = to_expr(exponent)
    defined("pow", base, exponent)
    if typing.is_const_int(exponent):
        assert isinstance(exponent, Const)
        return _integer_power(base, int(exponent.value))
    return _on_floats("pow", base, exponent)


def _integer_power(base: Expr, exponent: int) -> Expr:
    if exponent == 0:
        return const(base.type, 1)
    if exponent == 1:
        return base
    if exponent < 0:
        return binary("div", const(base.type, 1), _integer_power(base, -exponent))
    half = _integer_power(base, exponent >> 1)
    square = binary("mul", half, half)
    return binary("mul", square, base) if exponent & 1 else square


def absolute(value: Expr) -> Expr:
    """``abs``: of signed integers, the result is unsigned."""
    defined("abs", value)
    type_ = value.type
    if type_.code == "uint":
        return value
    return Call(Type("uint", type_.bits) if type_.code == "int" else type_, "abs", (value,))


def absolute_difference(left: Expr, right: Expr) -> Expr:
    """``absd``: unsigned for integers."""
    defined("absd", left, right)
    left, right = match_types(to_expr(left), to_expr(right))
    if left.type.is_float:
        return absolute(binary("sub", left, right))
    return Call(Type("uint", left.type.bits), "absd", (left, right))


def lerp(zero: Expr, one: Expr, weight: Expr) -> Expr:
    """``lerp``; integer literals take the other value's type."""
    defined("lerp", zero, one, weight)
    if typing.is_const_int(zero):
        zero = cast(one.type, zero)
    if typing.is_const_int(one):
        one = cast(zero.type, one)
    if zero.type != one.type:
        raise Illegal(f"can't lerp between values of type {zero.type} and {one.type}")
    if weight.type.code == "int":
        raise Illegal(f"a lerp weight must be unsigned or a float, not {weight.type}")
    if not zero.type.is_float:
        if zero.type.bits > 32:
            raise Illegal("lerping between 64-bit integers is not supported")
        if isinstance(weight, Const) and weight.type.is_float and not 0 <= weight.value <= 1:
            raise Illegal(f"weight {weight.value} of a lerp is not in the range [0.0, 1.0]")
    return Call(zero.type, "lerp", (zero, one, weight))


def multiway_select(*operands: Expr) -> Expr:
    """``select(c0, v0, c1, v1, ..., otherwise)``."""
    if len(operands) < 3 or len(operands) % 2 == 0:
        raise Illegal(f"select with {len(operands)} arguments: legal are an odd number, at least 3")
    result = operands[-1]
    for index in range(len(operands) - 3, -1, -2):
        result = typing.select(operands[index], operands[index + 1], result)
    return result


def mux(index: Expr, *values: Expr) -> Expr:
    """The value of that number, the last one past the end."""
    if not values:
        raise Illegal("mux() requires a non-empty vector of values")
    if len(values) == 1:
        return values[0]
    if any(v.type != values[0].type for v in values):
        raise Illegal("mux() requires all the values to have the same type")
    return Call(values[0].type, "mux", (index, *values))


def minimum(*operands: Expr | int) -> Expr:
    return _extreme("min", operands)


def maximum(*operands: Expr | int) -> Expr:
    return _extreme("max", operands)


def _extreme(op: str, operands: tuple[Expr | int, ...]) -> Expr:
    """Of more than two operands, the last ones go first."""
    if len(operands) < 2:
        raise Illegal(f"{op} of fewer than two values")
    if len(operands) > 2:
        operands = (operands[0], _extreme(op, operands[1:]))
    return binary(op, *operands)


def saturating_cast(type_: Type, value: Expr) -> Expr:
    defined("saturating_cast", value)
    return Call(type_, "saturating_cast", (value,))


def reinterpret(type_: Type, value: Expr) -> Expr:
    defined("reinterpret", value)
    if type_.bits != value.type.bits:
        raise Illegal(f"reinterpret of {value.type} as {type_}: the sizes differ")
    return value if type_ == value.type else Call(type_, "reinterpret", (value,))


def extract_bits(type_: Type, value: Expr, lowest: Expr) -> Expr:
    """The bits of ``value`` from number ``lowest`` on, as a type; there are zeros beyond."""
    defined("extract_bits", value, lowest)
    bits = _as_unsigned(value)
    shifted = binary("shr", bits, cast(bits.type, lowest))
    return reinterpret(type_, cast(Type("uint", type_.bits), shifted))


def concat_bits(parts: Sequence[Expr]) -> Expr:
    """The bits of several values of one type after each other, the first one's lowest."""
    defined("concat_bits", *parts)
    kind, count = parts[0].type, len(parts)
    if count & (count - 1) or any(part.type != kind for part in parts):
        raise Illegal("concat_bits takes a power of two of values of one type")
    wide = Type("uint", kind.bits * count)
    if wide.bits > 64:
        raise Illegal(f"concat_bits of {count} values of type {kind}: no type has {wide.bits} bits")
    result = cast(wide, _as_unsigned(parts[0]))
    for place, part in enumerate(parts[1:], 1):
        moved = binary("shl", cast(wide, _as_unsigned(part)), const(wide, place * kind.bits))
        result = binary("bor", result, moved)
    return reinterpret(Type(kind.code, wide.bits), result)


def _as_unsigned(value: Expr) -> Expr:
    return reinterpret(Type("uint", value.type.bits), value)


def _widen(type_: Type) -> Type:
    if type_.bits > 32:
        raise Illegal(f"no type is twice as wide as {type_}")
    return Type("float" if type_.code == "bfloat" else type_.code, type_.bits * 2)


def _same(name: str, left: Expr, right: Expr) -> Expr:
    defined(name, left, right)
    left, right = match_types(to_expr(left), to_expr(right))
    return Call(left.type, name, (left, right))


def _widening(name: str, left: Expr, right: Expr) -> Expr:
    defined(name, left, right)
    left, right = match_types(left, right)
    wide = _widen(left.type)
    if name == "widening_sub" and wide.code == "uint":
        wide = Type("int", wide.bits)
    return Call(wide, name, (left, right))


def _widening_mul(left: Expr, right: Expr) -> Expr:
    defined("widening_mul", left, right)
    if left.type.is_float != right.type.is_float:
        raise Illegal(f"widening_mul of {left.type} and {right.type}")
    left, right = match_bits(left, right)
    wide = _widen(left.type)
    if wide.code == "uint" and right.type.code == "int":
        wide = Type("int", wide.bits)
    return Call(wide, "widening_mul", (left, right))


def _widen_right(name: str, left: Expr, right: Expr) -> Expr:
    defined(name, left, right)
    if not (left.type.is_integer and right.type.is_integer) or _widen(right.type) != left.type:
        raise Illegal(f"{name} type mismatch: {left.type} and {right.type}")
    return Call(left.type, name, (left, right))


def _shift(name: str, left: Expr, right: Expr | int) -> Expr:
    defined(name, left)
    if not isinstance(right, Expr):
        if right < 0:
            name = name.replace("left", "?").replace("right", "left").replace("?", "right")
        right = typing.const_like(Type("uint", left.type.bits), abs(int(right)))
    left, right = match_bits(left, right)
    type_ = _widen(left.type) if name.startswith("widening") else left.type
    return Call(type_, name, (left, right))


def _mul_shift(name: str, left: Expr, right: Expr, shift: Expr | int) -> Expr:
    defined(name, left, right)
    if not isinstance(shift, Expr):
        shift = typing.const_like(Type("uint", left.type.bits), int(shift))
    if shift.type.code != "uint":
        raise Illegal(f"{name} shift must be unsigned")
    left, right = match_types(left, right)
    left, shift = match_bits(left, shift)
    left, right = match_types(left, right)
    if left.type.bits > 32:
        raise Illegal(f"{name} of {left.type} needs a type that is twice as wide")
    return Call(left.type, name, (left, right, shift))


def _bits(name: str, value: Expr) -> Expr:
    defined(name, value)
    if not value.type.is_integer:
        raise Illegal(f"argument to {name} must be an integer")
    return Call(value.type, name, (value,))


def _hint(name: str, value: Expr) -> Expr:
    defined(name, value)
    return Call(value.type, name, (value,))


def _rounding_to_zero(name: str, op: str, left: Expr, right: Expr) -> Expr:
    defined(name, left, right)
    left, right = match_types(to_expr(left), to_expr(right))
    if left.type.code == "uint":
        return binary(op, left, right)
    if left.type.code != "int":
        raise Illegal(f"arguments to {name} must be integers, not {left.type}")
    return Call(left.type, name, (left, right))


def fma(left: Expr, right: Expr, addend: Expr) -> Expr:
    defined("fma", left, right, addend)
    if not left.type.is_float or not left.type == right.type == addend.type:
        raise Illegal("fma requires three floating-point values of one type")
    return Call(left.type, "fma", (left, right, addend))


_UNARY_FLOAT = (
    *("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "floor", "ceil", "trunc"),
)
_SAME = ("halving_add", "halving_sub", "rounding_halving_add", "saturating_add", "saturating_sub")
_SHIFTS = (
    *("rounding_shift_left", "rounding_shift_right"),
    *("widening_shift_left", "widening_shift_right"),
)

FUNCTIONS: dict[str, Callable[..., Expr]] = {
    **{name: partial(_on_floats, name) for name in (*_UNARY_FLOAT, "atan2")},
    "round": partial(_keeping_float, "round"),
    **{name: partial(_test, name) for name in ("is_nan", "is_inf", "is_finite")},
    **{name: partial(_fast, name) for name in ("fast_inverse", "fast_inverse_sqrt")},
    "pow": power,
    "hypot": lambda x, y: _on_floats(
        "sqrt", binary("add", binary("mul", x, x), binary("mul", y, y))
    ),
    "fract": lambda x: binary("sub", x, _on_floats("trunc", x)),
    "abs": absolute,
    "absd": absolute_difference,
    "lerp": lerp,
    "select": multiway_select,
    "min": minimum,
    "max": maximum,
    "clamp": typing.clamp,
    "fma": fma,
    **{name: partial(_same, name) for name in _SAME},
    **{name: partial(_widening, name) for name in ("widening_add", "widening_sub")},
    "widening_mul": _widening_mul,
    **{
        n: partial(_widen_right, n)
        for n in ("widen_right_add", "widen_right_sub", "widen_right_mul")
    },
    **{name: partial(_shift, name) for name in _SHIFTS},
    **{n: partial(_mul_shift, n) for n in ("mul_shift_right", "rounding_mul_shift_right")},
    **{n: partial(_bits, n) for n in ("popcount", "count_leading_zeros", "count_trailing_zeros")},
    **{n: partial(_hint, n) for n in ("likely", "likely_if_innermost", "strict_float")},
    "div_round_to_zero": partial(_rounding_to_zero, "div_round_to_zero", "div"),
    "mod_round_to_zero": partial(_rounding_to_zero, "mod_round_to_zero", "mod"),
}
