"""Constant bounds of expressions: what is known of a value whatever the variables are.

A range is (least, greatest) of integers, None where there is no bound.
"""

from __future__ import annotations

from collections.abc import Callable

from s2s.scop.expressions import (
    INT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Select,
    Type,
)

Range = tuple[int | None, int | None]
UNKNOWN: Range = (None, None)


def of_type(kind: Type) -> Range:
    """What the type alone says; int32 and int64 count as unbounded, their overflow is undefined."""
    if kind.is_integer and (kind.code == "uint" or kind.bits < 32):
        return kind.smallest, kind.largest
    return UNKNOWN


def union(a: Range, b: Range) -> Range:
    """The least range that holds both."""
    low = None if a[0] is None or b[0] is None else min(a[0], b[0])
    high = None if a[1] is None or b[1] is None else max(a[1], b[1])
    return low, high


def intersection(a: Range, b: Range) -> Range:
    """What is known when both ranges hold."""
    low = a[0] if b[0] is None else b[0] if a[0] is None else max(a[0], b[0])
    high = a[1] if b[1] is None else b[1] if a[1] is None else min(a[1], b[1])
    return low, high


def plus(a: Range, b: Range) -> Range:
    """The range of a sum."""
    low = None if a[0] is None or b[0] is None else a[0] + b[0]
    high = None if a[1] is None or b[1] is None else a[1] + b[1]
    return low, high


def times(a: Range, factor: int) -> Range:
    """The range of a multiple."""
    if factor == 0:
        return 0, 0
    low = None if a[0] is None else a[0] * factor
    high = None if a[1] is None else a[1] * factor
    return (low, high) if factor > 0 else (high, low)


def smaller(a: Range, b: Range) -> Range:
    """The range of the minimum."""
    low = None if a[0] is None or b[0] is None else min(a[0], b[0])
    return low, intersection((None, a[1]), (None, b[1]))[1]


def larger(a: Range, b: Range) -> Range:
    """The range of the maximum."""
    high = None if a[1] is None or b[1] is None else max(a[1], b[1])
    return intersection((a[0], None), (b[0], None))[0], high


def product(a: Range, b: Range) -> Range:
    """The range of a product."""
    if None in a or None in b:
        if a[0] is not None and b[0] is not None and a[0] >= 0 and b[0] >= 0:
            return a[0] * b[0], None
        return UNKNOWN
    corners = [x * y for x in a for y in b]  # type: ignore[operator]
    return min(corners), max(corners)


def of_operation(expr: Expr, bounds: Callable[[Expr], Range]) -> Range:
    """The range of a node that is not a sum, from the ranges of its operands."""
    natural = of_type(expr.type)
    match expr:
        case Binary(op="min"):
            return intersection(natural, smaller(bounds(expr.left), bounds(expr.right)))
        case Binary(op="max"):
            return intersection(natural, larger(bounds(expr.left), bounds(expr.right)))
        case Binary(op="div" | "mod" | "shr", right=Const(value=int(by))) if by > 0:
            return _divided(expr.op, bounds(expr.left), by, natural)
        case Binary(op="add" | "sub" | "mul"):
            return _arithmetic(expr, bounds(expr.left), bounds(expr.right), natural)
        case Select():
            return union(bounds(expr.then), bounds(expr.otherwise))
        case Cast() if expr.value.type.is_integer:
            return _fitting(bounds(expr.value), natural)
        case Call(name="likely" | "likely_if_innermost"):
            return bounds(expr.arguments[0])
        case Call(name="abs") if expr.arguments[0].type.is_integer:
            return intersection(natural, (0, None))
    return natural


def _divided(op: str, value: Range, by: int, natural: Range) -> Range:
    if op == "mod":
        if value[0] is not None and value[0] >= 0 and value[1] is not None and value[1] < by:
            return value
        return 0, by - 1
    by = 1 << by if op == "shr" else by
    low, high = (None if end is None else end // by for end in value)
    return intersection(natural, (low, high))


def _arithmetic(expr: Binary, left: Range, right: Range, natural: Range) -> Range:
    if expr.op == "mul":
        found = product(left, right)
    else:
        found = plus(left, right if expr.op == "add" else times(right, -1))
    return found if expr.type == INT32 else _fitting(found, natural)


def _fitting(found: Range, natural: Range) -> Range:
    """A range before wrapping, where no value of it wraps; else all of the type."""
    low, high = natural
    if low is None or high is None:
        return found
    if found[0] is None or found[1] is None or found[0] < low or found[1] > high:
        return natural
    return found
