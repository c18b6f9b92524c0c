"""Integer intrinsics as plain arithmetic in types wide enough for exact results.

Each follows the meaning that Halide documents: as if computed with unlimited bits, then narrowed
(``halving_*``), saturated (``saturating_*``, ``mul_shift_right``) or kept wide (``widening_*``).
"""

from __future__ import annotations

from collections.abc import Callable

from s2s.scop.build import binary
from s2s.scop.errors import UnsupportedType
from s2s.scop.expressions import BOOL, FLOAT32, Call, Const, Expr, Select, Type
from s2s.scop.full_width import halve_sum, limited, shifted
from s2s.scop.literals import cast


def expand_intrinsic(call: Call) -> Expr | None:
    """The call as arithmetic; None for a call that is not one of these."""
    rule = _RULES.get(call.name)
    return None if rule is None else rule(call)


def number(type: Type, value: int) -> Const:
    return Const(type, float(value) if type.is_float else value)


def wider(type: Type, signed: bool | None = None) -> Type:
    """The type of twice the bits; ``signed`` None keeps the signedness."""
    if type.bits > 32:
        raise UnsupportedType(f"this needs integers wider than {type}")
    code = type.code if signed is None else "int" if signed else "uint"
    return Type(code, 2 * type.bits)


def saturate(type: Type, value: Expr) -> Expr:
    """An integer brought into the range of ``type``."""
    source = value.type
    if source.is_integer:
        if source.largest > type.largest:
            value = binary("min", value, Const(source, type.largest))
        if source.smallest < type.smallest:
            value = binary("max", value, Const(source, type.smallest))
    return cast(type, value)


def _saturating_cast(call: Call) -> Expr:
    (value,) = call.arguments
    target, source = call.type, value.type
    if not source.is_float:
        return saturate(target, value)
    if target.is_float:
        return cast(target, value)
    low, high = number(source, target.smallest), number(source, target.largest)
    if target.bits < source.bits:
        return cast(target, binary("max", binary("min", value, high), low))
    value = binary("max", value, low)
    inside = cast(target, value)
    return Select(target, binary("ge", value, high), Const(target, target.largest), inside)


def _widening(op: str) -> Callable[[Call], Expr]:
    def rule(call: Call) -> Expr:
        a, b = call.arguments
        other = call.type if op not in ("shl", "shr") else Type(b.type.code, call.type.bits)
        return binary(op, cast(call.type, a), cast(other, b))

    return rule


def _widen_right(op: str) -> Callable[[Call], Expr]:
    def rule(call: Call) -> Expr:
        a, b = call.arguments
        return binary(op, a, cast(a.type, b))

    return rule


def _halving(op: str, rounding: int) -> Callable[[Call], Expr]:
    def rule(call: Call) -> Expr:
        a, b = call.arguments
        if a.type.bits == 64:
            return halve_sum(op, rounding, a, b)
        wide = wider(a.type, True if op == "sub" else None)
        value = binary(op, cast(wide, a), cast(wide, b))
        if rounding:
            value = binary("add", value, Const(wide, rounding))
        return cast(call.type, binary("shr", value, Const(wide, 1)))

    return rule


def _saturating(op: str) -> Callable[[Call], Expr]:
    def rule(call: Call) -> Expr:
        a, b = call.arguments
        if a.type.bits == 64:
            return limited(op, a, b)
        wide = wider(a.type, True if op == "sub" else None)
        return saturate(call.type, binary(op, cast(wide, a), cast(wide, b)))

    return rule


def _rounding_shift(left: bool) -> Callable[[Call], Expr]:
    """Shifts that add half of what is dropped; a negative distance shifts the other way."""

    def rule(call: Call) -> Expr:
        a, b = call.arguments
        if left and b.type.code == "uint":
            return binary("shl", a, b)
        if a.type.bits == 64:
            return shifted(a, b, left)
        wide = wider(a.type)
        distance = cast(Type(b.type.code, wide.bits), b)
        if left:
            distance = binary("sub", number(distance.type, 0), distance)
        return cast(call.type, _rounded(cast(wide, a), distance))

    return rule


def _rounded(value: Expr, distance: Expr) -> Expr:
    """``value >> distance`` to nearest, halves up; the value's type has room for the half."""
    zero, one = number(distance.type, 0), number(distance.type, 1)
    before = binary("sub", binary("max", distance, one), one)
    half = binary("shl", Const(value.type, 1), before)
    half = Select(value.type, binary("gt", distance, zero), half, Const(value.type, 0))
    return binary("shr", binary("add", value, half), distance)


def _mul_shift(rounding: bool) -> Callable[[Call], Expr]:
    def rule(call: Call) -> Expr:
        a, b, q = call.arguments
        wide = Type("int" if "int" in (a.type.code, b.type.code) else "uint", wider(a.type).bits)
        product = binary("mul", cast(wide, a), cast(wide, b))
        distance = cast(Type(q.type.code, wide.bits), q)
        if rounding:
            return saturate(call.type, _rounded(product, distance))
        return saturate(call.type, binary("shr", product, distance))

    return rule


def _absd(call: Call) -> Expr:
    a, b = call.arguments
    if a.type.is_float:
        return Call(call.type, "abs", (binary("sub", a, b),))
    difference = Select(
        call.type,
        binary("lt", a, b),
        binary("sub", cast(call.type, b), cast(call.type, a)),
        binary("sub", cast(call.type, a), cast(call.type, b)),
    )
    return difference


def _mux(call: Call) -> Expr:
    index, *values = call.arguments
    result = values[-1]
    for k in range(len(values) - 2, -1, -1):
        here = binary("eq", index, number(index.type, k))
        result = Select(call.type, here, values[k], result)
    return result


def _lerp(call: Call) -> Expr:
    """``zero`` and ``one`` blended; an integer weight's largest value stands for 1."""
    zero, one, weight = call.arguments
    if zero.type.is_float:
        share = _float_share(zero.type, weight)
        rest = binary("sub", number(zero.type, 1), share)
        return binary("add", binary("mul", zero, rest), binary("mul", one, share))
    if zero.type == BOOL:
        half = (
            Const(FLOAT32, 0.5)
            if weight.type.is_float
            else Const(weight.type, weight.type.largest // 2)
        )
        return Select(BOOL, binary("gt", weight, half), one, zero)
    if zero.type.code == "uint":
        return _blended(zero, one, weight)
    unsigned = Type("uint", zero.type.bits)
    bias = Const(unsigned, 1 << (unsigned.bits - 1))
    blended = _blended(
        binary("sub", cast(unsigned, zero), bias), binary("sub", cast(unsigned, one), bias), weight
    )
    return cast(call.type, binary("add", blended, bias))


def _float_share(type: Type, weight: Expr) -> Expr:
    if weight.type.is_float:
        return cast(type, weight)
    return binary("div", cast(type, weight), number(type, weight.type.largest))


def _blended(zero: Expr, one: Expr, weight: Expr) -> Expr:
    """The blend of unsigned integers, to nearest."""
    type = zero.type
    share = _integer_share(type, weight)
    rest = binary("sub", Const(type, type.largest), share)
    wide = wider(type)
    products = binary(
        "add",
        binary("mul", cast(wide, zero), cast(wide, rest)),
        binary("mul", cast(wide, one), cast(wide, share)),
    )
    half = binary("add", products, Const(wide, type.largest // 2))
    return cast(type, binary("div", half, Const(wide, type.largest)))


def _integer_share(type: Type, weight: Expr) -> Expr:
    """The weight on the scale of an unsigned type, whose largest value is 1."""
    source = weight.type
    if source.is_float:
        if type.bits == 32:
            double = Type("float", 64)
            return cast(type, binary("mul", number(double, type.largest), cast(double, weight)))
        return cast(type, binary("mul", number(source, type.largest), weight))
    if source.bits == type.bits:
        return cast(type, weight)
    if source.bits < type.bits:
        factor = type.largest // source.largest
        return binary("mul", cast(type, weight), Const(type, factor))
    factor = source.largest // type.largest
    return cast(type, binary("div", weight, Const(source, factor)))


_RULES: dict[str, Callable[[Call], Expr]] = {
    "saturating_cast": _saturating_cast,
    "widening_add": _widening("add"),
    "widening_sub": _widening("sub"),
    "widening_mul": _widening("mul"),
    "widening_shift_left": _widening("shl"),
    "widening_shift_right": _widening("shr"),
    "widen_right_add": _widen_right("add"),
    "widen_right_sub": _widen_right("sub"),
    "widen_right_mul": _widen_right("mul"),
    "halving_add": _halving("add", 0),
    "halving_sub": _halving("sub", 0),
    "rounding_halving_add": _halving("add", 1),
    "sorted_avg": _halving("add", 0),
    "saturating_add": _saturating("add"),
    "saturating_sub": _saturating("sub"),
    "rounding_shift_left": _rounding_shift(True),
    "rounding_shift_right": _rounding_shift(False),
    "mul_shift_right": _mul_shift(False),
    "rounding_mul_shift_right": _mul_shift(True),
    "absd": _absd,
    "mux": _mux,
    "lerp": _lerp,
}
