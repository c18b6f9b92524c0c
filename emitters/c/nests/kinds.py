"""C's types and literals for the typed expressions."""

from __future__ import annotations

import math
from ctypes import c_float

from s2s.scop.errors import UnsupportedType
from s2s.scop.expressions import BOOL, Const, Type


def c_type(type: Type) -> str:
    """``uint8_t``, ``float`` and so on."""
    if type == BOOL:
        return "bool"
    if type.is_integer and type.bits in (8, 16, 32, 64):
        if type.code == "int" and type.bits == 32:
            return "int"
        return f"{'u' if type.code == 'uint' else ''}int{type.bits}_t"
    if type.code == "float" and type.bits in (32, 64):
        return "float" if type.bits == 32 else "double"
    raise UnsupportedType(f"values of type {type} have no C type")


def suffix(type: Type) -> str:
    """What the names of helper functions end in: ``i32``, ``u8``, ``f32``."""
    return f"{type.code[0]}{type.bits}"


def promoted(type: Type) -> bool:
    """Whether C computes with ``int`` where the type is narrower."""
    return type.is_integer and type.bits < 32


def literal(const: Const) -> str:
    type, value = const.type, const.value
    if type == BOOL:
        return "true" if value else "false"
    if type.is_float:
        return _float_literal(float(value), type.bits)
    return _integer_literal(int(value), type)


def _integer_literal(value: int, type: Type) -> str:
    mark = {("int", 64): "LL", ("uint", 32): "u", ("uint", 64): "ULL"}.get(
        (type.code, type.bits), ""
    )
    if type.code == "int" and value == type.smallest and type.bits >= 32:
        return f"(-{type.largest}{mark} - 1)"
    return f"{value}{mark}"


def _float_literal(value: float, bits: int) -> str:
    mark = "f" if bits == 32 else ""
    if math.isnan(value):
        return "NAN" if bits == 32 else "(double)NAN"
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}INFINITY"
    text = _shortest_single(value) if bits == 32 else repr(value)
    if "e" not in text and "." not in text:
        text += ".0"
    return text + mark


def _shortest_single(value: float) -> str:
    """The shortest decimal that reads as the same single-precision number."""
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        if c_float(float(text)).value == c_float(value).value:
            return text
    return repr(value)
