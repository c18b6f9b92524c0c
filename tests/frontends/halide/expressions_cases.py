"""Expressions of Halide's C++ whose types (or refusal) are compared with the real Halide's.

They are over ``x``, ``y`` (Vars) and values of every type: ``b`` bool, ``u8`` ... ``f64`` (names
with a trailing underscore where ConciseCasts has the plain one).
"""

from __future__ import annotations

VALUES = {
    "b_": "cast<bool>(x)",
    "u8_": "cast<uint8_t>(x)",
    "u16_": "cast<uint16_t>(x)",
    "u32_": "cast<uint32_t>(x)",
    "u64_": "cast<uint64_t>(x)",
    "i8_": "cast<int8_t>(x)",
    "i16_": "cast<int16_t>(x)",
    "i32_": "cast<int32_t>(x)",
    "i64_": "cast<int64_t>(x)",
    "f16_": "cast<float16_t>(x)",
    "f32_": "cast<float>(x)",
    "f64_": "cast<double>(x)",
}
_LITERALS = ("1", "-1", "255", "256", "1.5f", "(uint8_t)3", "Expr(1)", "Expr(2.5)")


def _pairs(operators: tuple[str, ...]) -> list[str]:
    names = list(VALUES)
    found = []
    for place, op in enumerate(operators):
        for index, left in enumerate(names):
            right = names[(index * 5 + place * 3 + 1) % len(names)]
            found.append(f"{left} {op} {right}")
            literal = _LITERALS[(index + place) % len(_LITERALS)]
            found += [f"{left} {op} {literal}", f"{literal} {op} {left}"]
    return found


_FUNCTIONS = (
    *("abs({0})", "sqrt({0})", "floor({0})", "round({0})", "likely({0})", "popcount({0})"),
    *("min({0}, {1})", "max({0}, 3)", "clamp({0}, 0, 100)", "clamp({0}, {1}, {2})"),
    *("absd({0}, {1})", "select({1} > 3, {0}, 7)", "select(x > 3, {0}, {2})", "pow({0}, 2)"),
    *("pow({0}, {1})", "lerp({0}, {0}, u8_)", "lerp({0}, {0}, 0.5f)", "lerp({0}, {1}, {2})"),
    *("saturating_cast<uint8_t>({0})", "widening_add({0}, {1})", "widening_mul({0}, {1})"),
    *("halving_add({0}, {1})", "saturating_add({0}, {1})", "widening_sub({0}, {1})"),
    *("rounding_shift_right({0}, 2)", "mul_shift_right({0}, {1}, 3)", "~{0}", "-{0}", "!{0}"),
    *("u16({0})", "i8_sat({0})", "f32({0})", "fract({0})", "hypot({0}, {1})", "atan2({0}, {1})"),
    *("mux(x, {{{0}, {0}}})", "reinterpret<uint32_t>({0})", "div_round_to_zero({0}, {1})"),
    *("select(x < 1, {0}, x < 2, {0}, {0})", "is_nan({0})", "fast_inverse({0})", "exp({0})"),
    *("min({0}, {1}, 3)", "cast({0}.type(), {1})", "random_float()", "sum(cast<int>(r) * {0})"),
    *("maximum(r * {0})", "undef<float>() + {0}", "count_leading_zeros({0})", "select({0}, 1, 2)"),
)


def cases() -> list[str]:
    """All expressions."""
    arithmetic = ("+", "-", "*", "/", "%", "<", "==", "&&", "||", "&", "|", "^", "<<", ">>")
    found = _pairs(arithmetic)
    names = list(VALUES)
    for place, pattern in enumerate(_FUNCTIONS):
        for index, name in enumerate(names):
            one, other = names[(index * 7 + place) % 12], names[(index * 5 + place + 3) % 12]
            found.append(pattern.format(name, one, other))
    return list(dict.fromkeys(found))
