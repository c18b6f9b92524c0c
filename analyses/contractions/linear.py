"""Typed expressions as affine functions of loop variables, where no operation of theirs wraps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from s2s.scop.expressions import Binary, Cast, Const, Expr, Let, Type, Variable
from s2s.scop.rewrite import substitute

Ranges = Mapping[str, tuple[int, int]]
"""The least and the greatest value of each variable."""


@dataclass(frozen=True)
class Linear:
    """``constant`` plus coefficients times variables, none of them zero, in order of name."""

    terms: tuple[tuple[str, int], ...]
    constant: int = 0

    def plus(self, other: Linear, times: int = 1) -> Linear:
        """The sum with ``times`` the other."""
        found = dict(self.terms)
        for name, c in other.terms:
            found[name] = found.get(name, 0) + times * c
        terms = tuple(sorted((n, c) for n, c in found.items() if c))
        return Linear(terms, self.constant + times * other.constant)

    def scaled(self, factor: int) -> Linear:
        """``factor`` times this."""
        return Linear(()).plus(self, factor)

    def divided(self, by: int) -> Linear | None:
        """An integer part of this; None where it is none for all values of the variables."""
        if self.constant % by or any(c % by for _, c in self.terms):
            return None
        return Linear(tuple((n, c // by) for n, c in self.terms), self.constant // by)

    def bounds(self, ranges: Ranges) -> tuple[int, int]:
        """The least and the greatest value; KeyError for a variable without range."""
        low = high = self.constant
        for name, c in self.terms:
            ends = sorted((c * ranges[name][0], c * ranges[name][1]))
            low, high = low + ends[0], high + ends[1]
        return low, high

    def with_values(self, values: Mapping[str, Linear]) -> Linear:
        """The same with variables replaced."""
        found = Linear((), self.constant)
        for name, c in self.terms:
            found = found.plus(values.get(name, Linear(((name, 1),))), c)
        return found


def linear(expr: Expr, ranges: Ranges) -> Linear | None:
    """The affine function that an integer expression is for variables in their ranges.

    None where it is not affine, where an operation may wrap or overflow, or a variable is unknown.
    """
    found = _value(expr, ranges)
    if found is None or any(name not in ranges for name, _ in found.terms):
        return None
    return found if _fits(found, expr.type, ranges) else None


def _fits(value: Linear, type_: Type, ranges: Ranges) -> bool:
    low, high = value.bounds(ranges)
    return type_.smallest <= low and high <= type_.largest


def _value(expr: Expr, ranges: Ranges) -> Linear | None:
    match expr:
        case Const(_, value) if isinstance(value, int):
            return Linear((), value)
        case Variable(_, name):
            return Linear(((name, 1),))
        case Cast(_, value) if value.type.is_integer:
            return linear(value, ranges)
        case Let(_, name, value, body):
            return linear(substitute(body, {name: value}), ranges)
        case Binary(_, op, left, right) if expr.type.is_integer:
            first, second = linear(left, ranges), linear(right, ranges)
            return None if first is None or second is None else _combined(op, first, second, ranges)
    return None


def _combined(op: str, first: Linear, second: Linear, ranges: Ranges) -> Linear | None:
    match op:
        case "add":
            return first.plus(second)
        case "sub":
            return first.plus(second, -1)
        case "mul" if not second.terms:
            return first.scaled(second.constant)
        case "mul" if not first.terms:
            return second.scaled(first.constant)
        case "shl" if not second.terms and 0 <= second.constant < 32:
            return first.scaled(1 << second.constant)
        case "div" | "mod" if not second.terms and second.constant > 0:
            return _part(op, first, second.constant, ranges)
        case "shr" if not second.terms and 0 <= second.constant < 32:
            return _part("div", first, 1 << second.constant, ranges)
        case "band" if not second.terms and (second.constant + 1).bit_count() == 1:
            return _part("mod", first, second.constant + 1, ranges)
    return None


def _part(op: str, value: Linear, by: int, ranges: Ranges) -> Linear | None:
    """Quotient or rest (never negative) of a division, where what is not divided stays below."""
    rest = Linear(tuple((n, c) for n, c in value.terms if c % by), value.constant % by)
    if any(name not in ranges for name, _ in rest.terms):
        return None
    low, high = rest.bounds(ranges)
    if low < 0 or high >= by:
        return None
    return rest if op == "mod" else value.plus(rest, -1).divided(by)
