"""Halide's fast approximations: the documented polynomials, as expressions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from s2s.frontends.halide import typing
from s2s.frontends.halide.functions import FUNCTIONS, power, reinterpret, to_expr
from s2s.frontends.halide.typing import binary, cast, const
from s2s.scop.errors import Illegal
from s2s.scop.expressions import FLOAT32, INT32, Expr

_LN2 = typing.rounded(FLOAT32, math.log(2.0))


def _float(value: float) -> Expr:
    return const(FLOAT32, value)


def _single(name: str, value: Expr) -> None:
    typing.defined(name, value)
    if value.type != FLOAT32:
        raise Illegal(f"{name} only works for float32, not {value.type}")


def polynomial(x: Expr, coefficients: Sequence[float]) -> Expr:
    """The polynomial with the highest coefficient first, even and odd powers apart."""
    square = binary("mul", x, x)
    sums = [_float(coefficients[0]), _float(coefficients[1])]
    for place, coefficient in enumerate(coefficients[2:]):
        scaled = binary("mul", sums[place % 2], square)
        sums[place % 2] = scaled if coefficient == 0 else binary("add", scaled, _float(coefficient))
    even, odd = sums
    if len(coefficients) % 2 == 0:
        return binary("add", binary("mul", even, x), odd)
    return binary("add", binary("mul", odd, x), even)


def fast_exp(value: Expr) -> Expr:
    _single("fast_exp", value)
    whole = FUNCTIONS["floor"](binary("div", value, _float(_LN2)))
    rest = binary("sub", value, binary("mul", whole, _float(_LN2)))
    coefficients = (
        *(0.01314350012789660196, 0.03668965196652099192, 0.16873890085469545053),
        *(0.49970514590562437052, 1.0, 1.0),
    )
    biased = binary("add", cast(INT32, whole), 127)
    biased = typing.clamp(biased, const(INT32, 0), const(INT32, 255))
    scale = reinterpret(FLOAT32, binary("shl", biased, 23))
    return binary("mul", polynomial(rest, coefficients), scale)


def fast_log(value: Expr) -> Expr:
    _single("fast_log", value)
    bits = reinterpret(INT32, value)
    mantissa = binary("band", bits, const(INT32, 0x807FFFFF))
    # Mantissas from 1.5 are halved, so that the argument is near to one.
    biased = binary("sub", 127, binary("shr", mantissa, 22))
    exponent = binary("sub", binary("shr", bits, 23), biased)
    reduced = reinterpret(FLOAT32, binary("bor", mantissa, binary("shl", biased, 23)))
    coefficients = (
        *(0.07640318789187280912, -0.16252961013874300811, 0.20625219040645212387),
        *(-0.25110261010892864775, 0.33320464908377461777, -0.49997513376789826101, 1.0, 0.0),
    )
    near = polynomial(binary("sub", reduced, _float(1.0)), coefficients)
    return binary("add", near, binary("mul", cast(FLOAT32, exponent), _float(_LN2)))


def fast_pow(base: Expr, exponent: Expr | int) -> Expr:
    exponent = to_expr(exponent)
    if typing.is_const_int(exponent):
        return power(base, exponent)
    base, exponent = cast(FLOAT32, base), cast(FLOAT32, exponent)
    value = fast_exp(binary("mul", fast_log(base), exponent))
    return typing.select(binary("eq", base, _float(0.0)), _float(0.0), value)


_SIN = (
    *(-2.50293279435709337121807038784027099609375e-8, 2.760012648650445044040679931640625e-6),
    *(-1.9842604524455964565277099609375e-4, 8.333347737789154052734375e-3),
    -0.16666667163372039794921875,
)
_COS = (
    *(-2.59630184018533327616751194000244140625e-7, 2.47562347794882953166961669921875e-5),
    *(-1.388833043165504932403564453125e-3, 4.166664183139801025390625e-2, -0.5),
)


def _quadrant(quarter: Expr, first: int, second: int) -> Expr:
    return binary("or", binary("eq", quarter, first), binary("eq", quarter, second))


def _fast_sin_cos(value: Expr, *, sine: bool) -> Expr:
    whole = FUNCTIONS["floor"](binary("mul", value, _float(0.636619746685028076171875)))
    quarter = binary("mod", cast(INT32, whole), 4)
    cosine = _quadrant(quarter, 1, 3) if sine else _quadrant(quarter, 0, 2)
    negative = binary("gt", quarter, 1) if sine else _quadrant(quarter, 1, 2)
    rest = binary("sub", value, binary("mul", whole, _float(1.57079637050628662109375)))
    square = binary("mul", rest, rest)
    total: Expr | None = None
    for c, s in zip(_COS, _SIN, strict=True):
        chosen = typing.select(cosine, _float(c), _float(s))
        total = chosen if total is None else binary("add", binary("mul", square, total), chosen)
    assert total is not None
    series = binary("add", binary("mul", square, total), 1)
    outside = typing.select(cosine, const(INT32, 1), rest)
    found = binary("mul", outside, series)
    return typing.select(negative, typing.negate(found), found)


def fast_sin(value: Expr) -> Expr:
    _single("fast_sin", value)
    return _fast_sin_cos(value, sine=True)


def fast_cos(value: Expr) -> Expr:
    _single("fast_cos", value)
    return _fast_sin_cos(value, sine=False)


def erf(value: Expr) -> Expr:
    """``erf`` of float32, as Halide approximates it."""
    _single("erf", value)
    sign = typing.select(binary("lt", value, 0), _float(-1.0), _float(1.0))
    size = FUNCTIONS["abs"](value)
    far = polynomial(
        size,
        (
            *(0.0000818502, -0.0000026500, 0.0009353904, 0.0081960206, 0.0430054424),
            *(0.0703310579, 1.0),
        ),
    )
    far = binary("sub", _float(1.0), power(far, -16))
    near = polynomial(
        binary("mul", size, size),
        (
            *(-0.0005553339, 0.0048937243, -0.0266849239, 0.1127890132, -0.3761207240),
            1.1283789803,
        ),
    )
    near = binary("mul", near, size)
    found = typing.select(binary("gt", size, _float(1.0)), far, near)
    return binary("mul", sign, found)


FAST: dict[str, Callable[..., Expr]] = {
    "fast_exp": fast_exp,
    "fast_log": fast_log,
    "fast_pow": fast_pow,
    "fast_sin": fast_sin,
    "fast_cos": fast_cos,
    "erf": erf,
    "fast_integer_divide": lambda x, y: binary("div", x, y),
    "fast_integer_modulo": lambda x, y: binary("mod", x, y),
}
