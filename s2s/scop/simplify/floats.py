"""Folding of floating-point literals: only where the result is exactly what is computed."""

from __future__ import annotations

import math
import struct

from s2s.scop.build import FALSE, TRUE
from s2s.scop.expressions import Binary, Cast, Const, Expr, Type
from s2s.scop.literals import COMPARISONS

_LARGEST_EXACT = 1 << 53


def rounded(value: float, kind: Type) -> float | None:
    """A double as a value of float32 or float64; None for what is not finite or other types."""
    if not math.isfinite(value) or kind.code != "float" or kind.bits not in (32, 64):
        return None
    if kind.bits == 64:
        return value
    try:
        (single,) = struct.unpack("<f", struct.pack("<f", value))
    except OverflowError:
        return None
    return float(single)


def folded_floats(node: Binary) -> Expr | None:
    """The literal that an operation of two literals is.

    Doubles hold the exact result of one float32 operation closely enough to round it once.
    """
    left, right = node.left, node.right
    if not (isinstance(left, Const) and isinstance(right, Const) and left.type.code == "float"):
        return None
    a, b = float(left.value), float(right.value)
    if node.op in COMPARISONS:
        return TRUE if COMPARISONS[node.op](a, b) else FALSE
    value: float | None = None
    match node.op:
        case "add":
            value = a + b
        case "sub":
            value = a - b
        case "mul":
            value = a * b
        case "div" if b != 0:
            value = a / b
        case "min" if a != b:
            value = min(a, b)
        case "max" if a != b:
            value = max(a, b)
    result = None if value is None else rounded(value, node.type)
    return None if result is None else Const(node.type, result)


def convert_literal(node: Cast) -> Expr | None:
    """The literal that a conversion from or to floating point is."""
    value = node.value
    if not isinstance(value, Const):
        return None
    if node.type.is_integer and value.type.is_float:
        if not math.isfinite(value.value):
            return None
        whole = math.trunc(value.value)
        inside = node.type.smallest <= whole <= node.type.largest and node.type.bits > 1
        return Const(node.type, whole) if inside else None
    if value.type.is_integer and abs(value.value) > _LARGEST_EXACT:
        return None
    result = rounded(float(value.value), node.type)
    return None if result is None else Const(node.type, result)
