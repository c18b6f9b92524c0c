"""Small functions that the emitted C calls, each written out only where it is used.

All are branch-free where the operation allows it, so that compilers vectorize loops around them.
The approximations of exp and log are those that Halide documents for single precision: the same
reduction and the same coefficients, so that results agree bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterable

from s2s.emitters.c.nests.helper_texts import (
    DIV,
    DIV_TO_ZERO,
    FIXED,
    FLOAT_MOD,
    FLOOR_DIV,
    FLOOR_MOD,
    LONG_DIV,
    LONG_MOD,
    MASKED,
    MINMAX,
    MOD,
    MOD_TO_ZERO,
    REINTERPRET,
    SELECT,
    SHIFT,
    SHORT_UNSIGNED_DIV,
    SHORT_UNSIGNED_MOD,
    UNSIGNED_DIV,
    UNSIGNED_MOD,
)
from s2s.emitters.c.nests.kinds import c_type, suffix
from s2s.scop.expressions import Type


def parse_suffix(text: str) -> Type:
    code = {"i": "int", "u": "uint", "f": "float"}[text[0]]
    return Type(code, int(text[1:]))


def helper_texts(names: Iterable[str]) -> list[str]:
    """The definitions of helpers and of what they call, in an order that compiles."""
    done: dict[str, str] = {}

    def add(name: str) -> None:
        if name in done:
            return
        text, needs = _definition(name)
        for other in needs:
            add(other)
        done[name] = text

    for name in sorted(names):
        add(name)
    return list(done.values())


def _definition(name: str) -> tuple[str, tuple[str, ...]]:
    if name in FIXED:
        return FIXED[name]
    operation, _, kind = name.removeprefix("s2s_").rpartition("_")
    type = parse_suffix(kind)
    if operation.startswith("bits_"):
        source = parse_suffix(operation.removeprefix("bits_"))
        words = {"T": c_type(type), "t": kind, "S": c_type(source), "s": suffix(source)}
        return REINTERPRET.format(**words), ()
    if operation == "select":
        bits = f"u{type.bits}"
        words = {"T": c_type(type), "t": kind, "m": bits, "M": c_type(parse_suffix(bits))}
        return SELECT.format(**words), (f"s2s_bits_{kind}_{bits}", f"s2s_bits_{bits}_{kind}")
    needs: tuple[str, ...] = ("s2s_floor_f32",) if name == "s2s_mod_f32" else ()
    if operation.startswith("masked_"):
        needs = (f"s2s_select_{kind}",)
    return _arithmetic(operation, type).format(**_words(operation, type)), needs


def _arithmetic(operation: str, type: Type) -> str:
    if operation in ("min", "max"):
        return MINMAX
    if operation.startswith("masked_"):
        return MASKED
    if operation in ("shl", "shr"):
        return SHIFT
    if type.is_float:
        return FLOAT_MOD
    if operation in ("div_round_to_zero", "mod_round_to_zero"):
        return DIV_TO_ZERO if operation[0] == "d" else MOD_TO_ZERO
    long, short = type.bits == 64, type.bits <= 16
    if type.code == "uint" and short:
        return {"div": SHORT_UNSIGNED_DIV, "mod": SHORT_UNSIGNED_MOD}[operation]
    if type.code == "uint":
        return {"div": UNSIGNED_DIV, "mod": UNSIGNED_MOD}[operation]
    return {
        "div": LONG_DIV if long else DIV,
        "mod": LONG_MOD if long else MOD,
        "floor_div": FLOOR_DIV,
        "floor_mod": FLOOR_MOD,
    }[operation]


def _words(operation: str, type: Type) -> dict[str, object]:
    unsigned = Type("uint", max(type.bits, 32))
    signed = Type("int", max(type.bits, 32))
    left = f"({c_type(unsigned)})a << {{}}"
    words: dict[str, object] = {
        "T": c_type(type),
        "t": suffix(type),
        "U": c_type(unsigned),
        "S": c_type(signed),
        "op": operation,
        "sign": "<" if operation.endswith("min") else ">",
        "last": type.bits - 1,
        "F": "float" if type.bits <= 16 else "double",
        "divisor": "b + (b == 0)"
        if type.bits < 32
        else f"b + (b == 0) + 2 * ((a == -{type.largest} - 1) & (b == -1))",
        "floor": "s2s_floor_f32" if type.bits == 32 else "floor",
    }
    if operation == "shl":
        words |= {"way": "left", "here": left.format("b"), "there": "a >> -b"}
    if operation == "shr":
        words |= {"way": "right", "here": "a >> b", "there": left.format("-b")}
    return words
