"""Types, operators and functions that every compute file may name."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence

from s2s.frontends.clockwork.arithmetic import as_type, extreme, select
from s2s.scop.expressions import BOOL, FLOAT32, INT32, Binary, Call, Cast, Const, Expr, Type

TYPES = {
    "bool": BOOL,
    "int": INT32,
    "unsigned": Type("uint", 32),
    "float": FLOAT32,
    "double": Type("float", 64),
    "bfloat16_t": Type("bfloat", 16),
    **{f"int{bits}_t": Type("int", bits) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}_t": Type("uint", bits) for bits in (8, 16, 32, 64)},
}
TIERS = (
    {"||": "or"},
    {"&&": "and"},
    {"|": "bor"},
    {"^": "bxor"},
    {"&": "band"},
    {"==": "eq", "!=": "ne"},
    {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"},
    {"<<": "shl", ">>": "shr"},
    {"+": "add", "-": "sub"},
    {"*": "mul", "/": "div", "%": "mod"},
)
"""Operators with two operands, those that bind least first."""

_FLOATS = {"expf": "exp", "logf": "log", "sqrtf": "sqrt", "sqrt_f32": "sqrt", "fabsf": "abs",
           "floorf": "floor", "ceilf": "ceil", "powf": "pow", "sinf": "sin", "cosf": "cos",
           "tanhf": "tanh", "roundf": "round", "truncf": "trunc"}  # fmt: skip


def as_bits(kind: Type, value: Expr) -> Expr:
    """Bits of an integer taken for a float."""
    if value.type == kind:
        return value
    return Call(kind, "reinterpret", (as_type(Type("uint", kind.bits), value),))


def called(name: str, given: Sequence[Expr]) -> Expr | None:
    """A call of a function that everybody knows; None for another."""
    own = re.fullmatch(r"s2s_(\w+?)_([iu])(\d+)", name)
    match name, given:
        case "min" | "max", [a, b]:
            return extreme(name, a, b)
        case "select", [condition, a, b]:
            return select(condition, a, b)
        case "clamp" | "clamp_val", [value, low, high]:
            return extreme("min", extreme("max", value, low), high)
        case "absd", [a, b]:
            kind = Type("uint", a.type.bits) if a.type.is_integer else a.type
            return Call(kind, "absd", (a, as_type(a.type, b)))
        case "div_floor" | "mod_floor", [a, b]:
            return Binary(a.type, name[:3], a, as_type(a.type, b))
        case "float_from_bits", [Const(_, int() as bits)]:
            return Const(FLOAT32, struct.unpack("f", struct.pack("I", bits & 0xFFFFFFFF))[0])
        case "bfloat_from_bits", [Const(_, int() as bits)]:
            value = struct.unpack("f", struct.pack("I", bits & 0xFFFFFFFF))[0]
            return Cast(Type("bfloat", 16), Const(FLOAT32, value))
        case "exp_bf16", [a]:
            kind = Type("bfloat", 16)
            return Cast(kind, Call(FLOAT32, "exp", (as_type(FLOAT32, a),)))
        case _, [*values] if name in _FLOATS:
            return Call(FLOAT32, _FLOATS[name], tuple(as_type(FLOAT32, v) for v in values))
    if own is None:
        return None
    kind = Type("int" if own[2] == "i" else "uint", int(own[3]))
    operation = own[1].removeprefix("floor_")
    operands = tuple(as_type(kind, v) for v in given)
    if operation in ("min", "max", "div", "mod", "shl", "shr") and len(operands) == 2:
        return Binary(kind, operation, *operands)
    if operation in ("div_round_to_zero", "mod_round_to_zero"):
        return Call(kind, operation, operands)
    return None
