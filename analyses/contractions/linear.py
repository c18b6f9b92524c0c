"""Typed expressions as affine functions of loop variables, where no operation of theirs wraps."""

from __future__ import annotations

from collections.abc import Mapping

from s2s.scop.expressions import Binary, Cast, Const, Expr, Let, Type, Variable
from s2s.scop.linear import Linear, combined
from s2s.scop.rewrite import substitute

Affine = Linear[str]
"""An affine function of loops, by their names."""

Ranges = Mapping[str, tuple[int, int]]
"""The least and the greatest value of each variable."""


def linear(expr: Expr, ranges: Ranges) -> Affine | None:
    """The affine function that an integer expression is for variables in their ranges.

    None where it is not affine, where an operation may wrap or overflow, or a variable is unknown.
    """
    found = _value(expr, ranges)
    if found is None or any(name not in ranges for name in found.terms):
        return None
    return found if _fits(found, expr.type, ranges) else None


def _fits(value: Affine, type_: Type, ranges: Ranges) -> bool:
    low, high = value.bounds(ranges)
    return type_.smallest <= low and high <= type_.largest


def _value(expr: Expr, ranges: Ranges) -> Affine | None:
    match expr:
        case Const(_, value) if isinstance(value, int):
            return Linear({}, value)
        case Variable(_, name):
            return Linear({name: 1})
        case Cast(_, value) if value.type.is_integer:
            return linear(value, ranges)
        case Let(_, name, value, body):
            return linear(substitute(body, {name: value}), ranges)
        case Binary(_, op, left, right) if expr.type.is_integer:
            first, second = linear(left, ranges), linear(right, ranges)
            return None if first is None or second is None else _combined(op, first, second, ranges)
    return None


def _combined(op: str, first: Affine, second: Affine, ranges: Ranges) -> Affine | None:
    by = second.number
    match op:
        case "shl" if by is not None and 0 <= by < 32:
            return first.scaled(1 << by)
        case "div" | "mod" if by is not None and by > 0:
            return _part(op, first, by, ranges)
        case "shr" if by is not None and 0 <= by < 32:
            return _part("div", first, 1 << by, ranges)
        case "band" if by is not None and (by + 1).bit_count() == 1:
            return _part("mod", first, by + 1, ranges)
    return combined(op, first, second)


def _part(op: str, value: Affine, by: int, ranges: Ranges) -> Affine | None:
    """Quotient or rest (never negative) of a division, where what is not divided stays below."""
    whole, rest = value.split(by)
    if any(name not in ranges for name in rest.terms):
        return None
    low, high = rest.bounds(ranges)
    if low < 0 or high >= by:
        return None
    return rest if op == "mod" else whole
