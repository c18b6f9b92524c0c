"""Halide's arithmetic on numpy's arrays: what every operator and function gives, by definition.

Independent of the emitter: integer intrinsics are computed with Python's unlimited integers and
then wrapped, saturated or narrowed, approximations of exp and log in numpy's single precision.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from s2s.net.pipelines.arrays import Values, dtype
from s2s.scop.expressions import BOOL, Type


def binary(op: str, type: Type, left: Values, right: Values) -> Values:
    """``type`` is the operands' type."""
    with np.errstate(all="ignore"):
        return _OPERATORS[op](type, left, right)


def _plain(
    function: Callable[[Values, Values], Values],
) -> Callable[[Type, Values, Values], Values]:
    return lambda type, a, b: np.asarray(function(a, b))


def _arithmetic(
    function: Callable[[Values, Values], Values],
) -> Callable[[Type, Values, Values], Values]:
    return lambda type, a, b: np.asarray(function(a, b)).astype(dtype(type), copy=False)


def _div(type: Type, a: Values, b: Values) -> Values:
    if type.is_float:
        return np.asarray(a / b)
    quotient, _ = _euclid(type, a, b)
    return quotient


def _mod(type: Type, a: Values, b: Values) -> Values:
    if type.is_float:
        return np.asarray(a - b * np.floor(a / b))
    _, rest = _euclid(type, a, b)
    return rest


def _euclid(type: Type, a: Values, b: Values) -> tuple[Values, Values]:
    """The remainder lies in [0, abs(b)); division by zero gives zeros."""
    a, b = np.broadcast_arrays(a, b)
    if type.bits == 64:
        a, b = a.astype(object), b.astype(object)
    else:
        a, b = a.astype(np.int64), b.astype(np.int64)
    zero = b == 0
    safe = np.where(zero, 1, b)
    rest = a % abs(safe)
    quotient = (a - rest) // safe
    return _narrow(type, np.where(zero, 0, quotient)), _narrow(type, np.where(zero, 0, rest))


def _narrow(type: Type, values: Values) -> Values:
    """Integers of any size modulo 2**bits."""
    if values.dtype == object:
        wrapped = [type.wrap(int(v)) for v in values.ravel()]
        return np.array(wrapped, dtype(type)).reshape(values.shape)
    return values.astype(dtype(type))


def _shift(left: bool) -> Callable[[Type, Values, Values], Values]:
    def shift(type: Type, a: Values, b: Values) -> Values:
        def one(x: Any, n: Any) -> int:
            distance = int(n) if left else -int(n)
            value = int(x)
            return type.wrap(value << distance if distance >= 0 else value >> -distance)

        if max(a.itemsize, b.itemsize) > 4:
            return exact(type, one, a, b)
        wide, distance = a.astype(np.int64), b.astype(np.int64) * (1 if left else -1)
        up, down = np.clip(distance, 0, 32), np.clip(-distance, 0, 63)
        return ((wide << up) >> down).astype(dtype(type))

    return shift


def _rows(arrays: Sequence[Values]) -> Iterator[tuple[Any, ...]]:
    return zip(*(a.ravel() for a in arrays), strict=True)


def exact(type: Type, function: Callable[..., int], *operands: Values) -> Values:
    """A function of Python's integers, element by element."""
    arrays = np.broadcast_arrays(*operands)
    flat = [function(*(int(v) for v in values)) for values in _rows(arrays)]
    return np.array(flat, dtype(type)).reshape(arrays[0].shape)


_OPERATORS: dict[str, Callable[[Type, Values, Values], Values]] = {
    "add": _arithmetic(lambda a, b: a + b),
    "sub": _arithmetic(lambda a, b: a - b),
    "mul": _arithmetic(lambda a, b: a * b),
    "div": _div,
    "mod": _mod,
    "min": _plain(lambda a, b: np.where(a < b, a, b)),
    "max": _plain(lambda a, b: np.where(a > b, a, b)),
    "eq": _plain(lambda a, b: a == b),
    "ne": _plain(lambda a, b: a != b),
    "lt": _plain(lambda a, b: a < b),
    "le": _plain(lambda a, b: a <= b),
    "gt": _plain(lambda a, b: a > b),
    "ge": _plain(lambda a, b: a >= b),
    "and": _plain(lambda a, b: a & b),
    "or": _plain(lambda a, b: a | b),
    "band": _plain(lambda a, b: a & b),
    "bor": _plain(lambda a, b: a | b),
    "bxor": _plain(lambda a, b: a ^ b),
    "shl": _shift(True),
    "shr": _shift(False),
}


def cast(target: Type, source: Type, values: Values) -> Values:
    """Integers wrap; floats are cut toward zero."""
    with np.errstate(all="ignore"):
        if target == BOOL:
            return np.asarray(values != 0)
        if source.is_float and target.is_integer:
            whole = np.trunc(values)
            return whole.astype(np.int64 if target != Type("uint", 64) else np.uint64).astype(
                dtype(target)
            )
        return values.astype(dtype(target))


def call(name: str, type: Type, types: list[Type], values: list[Values]) -> Values:
    """A function of Halide's; ``types`` are those of the arguments."""
    with np.errstate(all="ignore"):
        if name in _FIXED_POINT:
            return exact(type, lambda *v: _FIXED_POINT[name](type, types, *v), *values)
        if name in _FLOATS and type.is_float:
            return _FLOATS[name](values).astype(dtype(type), copy=False)
        if name in _OTHERS:
            return _OTHERS[name](type, types, values)
    raise NotImplementedError(f"{name} on {type}")


def _saturate(type: Type, value: int) -> int:
    return min(max(value, type.smallest), type.largest)


def _rounded_right(value: int, distance: int) -> int:
    if distance <= 0:
        return value << -distance
    return (value + (1 << (distance - 1))) >> distance


def _towards_zero(a: int, b: int) -> int:
    """The quotient without its fraction; by zero 0."""
    if b == 0:
        return 0
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_FIXED_POINT: dict[str, Callable[..., int]] = {
    "widening_add": lambda t, _, a, b: a + b,
    "widening_sub": lambda t, _, a, b: a - b,
    "widening_mul": lambda t, _, a, b: a * b,
    "widening_shift_left": lambda t, _, a, b: t.wrap(a << b if b >= 0 else a >> -b),
    "widening_shift_right": lambda t, _, a, b: t.wrap(a >> b if b >= 0 else a << -b),
    "widen_right_add": lambda t, _, a, b: t.wrap(a + b),
    "widen_right_sub": lambda t, _, a, b: t.wrap(a - b),
    "widen_right_mul": lambda t, _, a, b: t.wrap(a * b),
    "halving_add": lambda t, _, a, b: t.wrap((a + b) >> 1),
    "halving_sub": lambda t, _, a, b: t.wrap((a - b) >> 1),
    "rounding_halving_add": lambda t, _, a, b: t.wrap((a + b + 1) >> 1),
    "saturating_add": lambda t, _, a, b: _saturate(t, a + b),
    "saturating_sub": lambda t, _, a, b: _saturate(t, a - b),
    "rounding_shift_right": lambda t, _, a, b: t.wrap(_rounded_right(a, b)),
    "rounding_shift_left": lambda t, _, a, b: t.wrap(_rounded_right(a, -b)),
    "mul_shift_right": lambda t, _, a, b, q: _saturate(t, (a * b) >> q),
    "rounding_mul_shift_right": lambda t, _, a, b, q: _saturate(t, _rounded_right(a * b, q)),
    "count_leading_zeros": lambda t, s, a: s[0].bits - (a % (1 << s[0].bits)).bit_length(),
    "count_trailing_zeros": lambda t, s, a: (a & -a).bit_length() - 1 if a else s[0].bits,
    "div_round_to_zero": lambda t, _, a, b: t.wrap(_towards_zero(a, b)),
    "mod_round_to_zero": lambda t, _, a, b: a - b * _towards_zero(a, b) if b else 0,
    "popcount": lambda t, s, a: (a % (1 << s[0].bits)).bit_count(),
}


def _polynomial(x: Values, coefficients: list[float]) -> Values:
    """Even and odd powers apart, highest first, every step rounded to single precision."""
    square = x * x
    parts: list[Any] = [np.float32(coefficients[0]), np.float32(coefficients[1])]
    for place, coefficient in enumerate(coefficients[2:]):
        parts[place % 2] = parts[place % 2] * square + np.float32(coefficient)
    last = (len(coefficients) - 1) % 2
    return np.asarray(parts[1 - last] * x + parts[last])


_LOG = [
    *(0.05111976432738144643, -0.11793923497136414580, 0.14971993724699017569),
    *(-0.16862004708254804686, 0.19980668101718729313, -0.24991211576292837737),
    *(0.33333435275479328386, -0.50000106292873236491, 1.0, 0.0),
]
_EXP = [
    *(0.00031965933071842413, 0.00119156835564003744, 0.00848988645943932717),
    *(0.04160188091348320655, 0.16667983794100929562, 0.49999899033463041098, 1.0, 1.0),
]
_LN2 = np.float32(np.log(np.float32(2)))


def _log(x: Values) -> Values:
    safe = np.where(x > 0, x, np.float32(1))
    bits = safe.view(np.int32)
    mantissa = bits & np.int32(0x807FFFFF - (1 << 32))
    biased = np.int32(127) - (mantissa >> 22)
    exponent = (bits >> 23) - biased
    reduced = (mantissa | (biased << 23)).astype(np.int32).view(np.float32)
    result = _polynomial(reduced - np.float32(1), _LOG) + exponent.astype(np.float32) * _LN2
    return np.where(x > 0, result, np.where(x < 0, np.float32(np.nan), np.float32(-np.inf)))


def _exp(x: Values) -> Values:
    whole = np.floor(x * (np.float32(1) / _LN2))
    biased = whole.astype(np.int32) + 127
    rest = x - whole * np.float32(0.6931457519) - whole * np.float32(1.4286067653e-6)
    power = (np.clip(biased, 0, 255) << 23).astype(np.int32).view(np.float32)
    result = _polynomial(rest, _EXP) * power
    result = np.where(biased < 255, result, np.float32(np.inf))
    return np.where(biased > 0, result, np.float32(0))


def _pow(x: Values, y: Values) -> Values:
    x, y = np.broadcast_arrays(x, y)
    size = _exp(_log(np.abs(x)) * y)
    whole = np.floor(y)
    odd = whole - np.float32(2) * np.floor(whole / np.float32(2))
    signed = np.where(y != whole, np.float32(np.nan), np.where(odd == 0, size, -size))
    special = np.where(y == 0, np.float32(1), np.where(x == 0, np.float32(0), signed))
    return np.where(x > 0, size, special)


def _library(name: str) -> Callable[[list[Values]], Values]:
    """The C library's function, in the precision of the arguments."""
    library = ctypes.CDLL("libm.so.6")

    def evaluate(values: list[Values]) -> Values:
        single = values[0].dtype == np.float32
        function = getattr(library, name + ("f" if single else ""))
        kind = ctypes.c_float if single else ctypes.c_double
        function.restype, function.argtypes = kind, [kind] * len(values)
        arrays = np.broadcast_arrays(*values)
        flat = [function(*(v.item() for v in row)) for row in _rows(arrays)]
        return np.array(flat, values[0].dtype).reshape(arrays[0].shape)

    return evaluate


def _own(single: Callable[..., Values], name: str) -> Callable[[list[Values]], Values]:
    double = _library(name)
    return lambda v: single(*v) if v[0].dtype == np.float32 else double(v)


def _fused(a: Values, b: Values, c: Values) -> Values:
    """A * b + c; the last digit of float64 may be another."""
    return np.asarray(a.astype(np.float64) * b + c).astype(a.dtype)


_FLOATS: dict[str, Callable[[list[Values]], Values]] = {
    "sqrt": lambda v: np.asarray(np.sqrt(v[0])),
    "floor": lambda v: np.asarray(np.floor(v[0])),
    "ceil": lambda v: np.asarray(np.ceil(v[0])),
    "trunc": lambda v: np.asarray(np.trunc(v[0])),
    "round": lambda v: np.asarray(np.rint(v[0])),
    "abs": lambda v: np.asarray(np.abs(v[0])),
    "absd": lambda v: np.asarray(np.abs(v[0] - v[1])),
    "fma": lambda v: _fused(*v),
    "fast_inverse": lambda v: np.asarray(v[0].dtype.type(1) / v[0]),
    "fast_inverse_sqrt": lambda v: np.asarray(v[0].dtype.type(1) / np.sqrt(v[0])),
    "strict_float": lambda v: v[0],
    "exp": _own(_exp, "exp"),
    "log": _own(_log, "log"),
    "pow": _own(_pow, "pow"),
    **{
        name: _library(name)
        for name in (
            *("sin", "cos", "tan", "asin", "acos", "atan", "atan2"),
            *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
        )
    },
}


def _abs(type: Type, types: list[Type], values: list[Values]) -> Values:
    return exact(type, lambda v: abs(v), *values)


def _absd(type: Type, types: list[Type], values: list[Values]) -> Values:
    return exact(type, lambda a, b: abs(a - b), *values)


def _saturating_cast(type: Type, types: list[Type], values: list[Values]) -> Values:
    (source,), (value,) = types, values
    if source.is_integer:
        return exact(type, lambda v: _saturate(type, v), value)
    if type.is_float:
        return value.astype(dtype(type))
    flat = [_saturate(type, int(np.clip(v, -1e30, 1e30))) for v in value.ravel()]
    return np.array(flat, dtype(type)).reshape(value.shape)


def _mux(type: Type, types: list[Type], values: list[Values]) -> Values:
    index, *choices = values
    result = choices[-1]
    for k, choice in enumerate(choices[:-1]):
        result = np.where(index == k, choice, result)
    return np.asarray(result)


def _lerp(type: Type, types: list[Type], values: list[Values]) -> Values:
    """Integers: both ends weighted by a share of the largest value, to nearest."""
    zero, one, weight = values
    if type.is_float:
        share = weight.astype(dtype(type))
        if types[2].is_integer:
            share = share / dtype(type).type(types[2].largest)
        rest = dtype(type).type(1) - share
        return np.asarray(zero * rest + one * share)
    if type == BOOL:
        half = 0.5 if types[2].is_float else types[2].largest // 2
        return np.asarray(np.where(weight > half, one, zero))
    most = (1 << type.bits) - 1
    if types[2].is_float:
        precise = np.dtype(np.float64) if type.bits == 32 else weight.dtype
        weight = (weight.astype(precise) * precise.type(most)).astype(np.uint64)
        scale = most
    else:
        scale = types[2].largest

    def blend(a: int, b: int, w: int) -> int:
        share = w * (most // scale) if scale <= most else w // (scale // most)
        bias = -type.smallest
        total = (a + bias) * (most - share) + (b + bias) * share
        return type.wrap((total + most // 2) // most - bias)

    return exact(type, blend, zero, one, weight)


_OTHERS: dict[str, Callable[[Type, list[Type], list[Values]], Values]] = {
    "promise_clamped": lambda type, types, v: v[0],
    "abs": _abs,
    "absd": _absd,
    "saturating_cast": _saturating_cast,
    "mux": _mux,
    "lerp": _lerp,
    "likely": lambda t, _, v: v[0],
    "likely_if_innermost": lambda t, _, v: v[0],
    "reinterpret": lambda t, _, v: np.ascontiguousarray(v[0]).view(dtype(t)),
    "is_nan": lambda t, _, v: np.asarray(np.isnan(v[0])),
    "is_inf": lambda t, _, v: np.asarray(np.isinf(v[0])),
    "is_finite": lambda t, _, v: np.asarray(np.isfinite(v[0])),
}
