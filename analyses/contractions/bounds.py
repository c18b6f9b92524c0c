"""Bounds checks around accesses: ``if (0 <= iy && iy < H) acc += image[iy] * w`` and its kin.

Conditions that hold together become ranges of affine functions. Where such a function is a
subscript, the elements outside of its range are a border that the program makes up (of zeros,
or of the other value of a choice).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from s2s.analyses.contractions.linear import Affine, Ranges, linear
from s2s.scop.contraction import NotAContraction
from s2s.scop.expressions import BOOL, Binary, Call, Cast, Const, Expr, Unary
from s2s.scop.linear import Linear
from s2s.scop.literals import OPPOSITE
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Guard:
    """``low <= value <= high`` where a None is no bound.

    ``value`` has no constant and no factor that is common to all, and the coefficient of the first
    name is positive.
    """

    value: Affine
    low: int | None
    high: int | None

    def range(self, ranges: Ranges) -> tuple[int, int]:
        """The values that are left of all in the variables' ranges."""
        low, high = self.value.bounds(ranges)
        low = low if self.low is None else max(low, self.low)
        return low, high if self.high is None else min(high, self.high)

    def times(self, whole: Affine) -> int:
        """How many times the value stands in a sum; 0 where it does not."""
        (name, first), *_ = self.value.terms.items()
        factor, rest = divmod(whole.coefficient(name), first)
        every = all(whole.coefficient(n) == factor * c for n, c in self.value.terms.items())
        return factor if rest == 0 and every else 0

    def with_values(self, values: dict[str, Affine]) -> Guard:
        """The same with variables replaced."""
        return _normal(self.value.with_values(values), self.low, self.high)


def _normal(value: Affine, low: int | None, high: int | None) -> Guard:
    low = None if low is None else low - value.constant
    high = None if high is None else high - value.constant
    by = value.content or 1
    if value.terms and value.coefficient(min(value.terms)) < 0:
        low, high = None if high is None else -high, None if low is None else -low
        by = -by
    low = None if low is None else -(-low // abs(by))
    high = None if high is None else high // abs(by)
    return Guard(Linear({n: c // by for n, c in value.terms.items()}), low, high)


def guards_of(conditions: Sequence[Expr], ranges: Ranges) -> tuple[Guard, ...]:
    """The ranges for which conditions hold together, one for each affine function.

    Those that always hold are left out. Raises NotAContraction for what is no such range.
    """
    parts = [part for condition in conditions for part in _together(condition, True)]
    kept = []
    for guard in merged([guard for part in parts for guard in _guards(part, ranges)]):
        if not guard.value.terms:
            if (guard.low or 0) > 0 or (guard.high is not None and guard.high < 0):
                raise NotAContraction("a condition that never holds")
            continue
        low, high = guard.range(ranges)
        if low > high:
            raise NotAContraction("conditions that never hold together")
        if (low, high) != guard.value.bounds(ranges):
            kept.append(guard)
    return tuple(kept)


def merged(guards: Sequence[Guard]) -> tuple[Guard, ...]:
    """One guard for each affine function."""
    found: dict[Affine, Guard] = {}
    for guard in guards:
        known = found.get(guard.value)
        found[guard.value] = guard if known is None else _both(known, guard)
    return tuple(found.values())


def _both(one: Guard, other: Guard) -> Guard:
    lows = [g.low for g in (one, other) if g.low is not None]
    highs = [g.high for g in (one, other) if g.high is not None]
    return replace(one, low=max(lows, default=None), high=min(highs, default=None))


def negated(condition: Expr) -> Expr:
    """The opposite of a truth value."""
    if isinstance(condition, Binary) and condition.op in OPPOSITE:
        return replace(condition, op=OPPOSITE[condition.op])
    if isinstance(condition, Unary) and condition.op == "not":
        return condition.value
    return Unary(BOOL, "not", condition)


def _together(condition: Expr, holds: bool) -> Iterator[Expr]:
    """The comparisons that all have to hold for a condition to be ``holds``."""
    match condition:
        case Binary(_, "and", left, right) if holds:
            yield from _together(left, True)
            yield from _together(right, True)
        case Binary(_, "or", left, right) if not holds:
            yield from _together(left, False)
            yield from _together(right, False)
        case Unary(_, "not", value):
            yield from _together(value, not holds)
        case Binary(_, "ge" | "gt", _, Binary(_, "max", one, other)) if holds:
            yield from (replace(condition, right=one), replace(condition, right=other))
        case Binary(_, "le" | "lt", _, Binary(_, "min", one, other)) if holds:
            yield from (replace(condition, right=one), replace(condition, right=other))
        case Binary(_, "eq" | "ne" as op, Cast(_, value), Const(_, 0)) if value.type == BOOL:
            yield from _together(value, holds == (op == "ne"))
        case Const(_, value):
            if bool(value) != holds:
                raise NotAContraction("a condition that never holds")
        case _:
            yield condition if holds else negated(condition)


def _guards(condition: Expr, ranges: Ranges) -> Iterator[Guard]:
    """One comparison as bounds."""
    if isinstance(condition, Binary) and condition.op in OPPOSITE:
        op, left, right = condition.op, condition.left, condition.right
        inner = _before_unsigned(left)
        end = linear(right, ranges)
        if op in ("lt", "le") and inner is not None and end is not None and not end.terms:
            value = linear(inner, ranges)
            if value is not None and 0 < end.constant <= inner.type.largest:
                yield _normal(value, 0, end.constant - (op == "lt"))
                return
        first = linear(left, ranges)
        if first is not None and end is not None:
            yield _compared(op, first.minus(end), ranges)
            return
    raise NotAContraction("there is a condition that is no bound of loops")


def _before_unsigned(expr: Expr) -> Expr | None:
    """The signed value that was made unsigned, so that a negative one is a large one."""
    if isinstance(expr, Cast) and expr.type.code == "uint" and expr.value.type.code == "int":
        return expr.value if expr.value.type.bits <= expr.type.bits else None
    return None


def _compared(op: str, difference: Affine, ranges: Ranges) -> Guard:
    match op:
        case "lt":
            return _normal(difference, None, -1)
        case "le":
            return _normal(difference, None, 0)
        case "gt":
            return _normal(difference, 1, None)
        case "ge":
            return _normal(difference, 0, None)
        case "eq":
            return _normal(difference, 0, 0)
    low, high = difference.bounds(ranges)
    if low == 0:
        return _normal(difference, 1, None)
    if high == 0:
        return _normal(difference, None, -1)
    raise NotAContraction("there is a condition that leaves out one iteration amid others")


def bounds(value: Affine, ranges: Ranges, guards: Sequence[Guard]) -> tuple[int, int]:
    """The least and the greatest value where guards hold."""
    low = high = 0
    for guard in guards:
        times = guard.times(value)
        if times:
            ends = sorted(times * end for end in guard.range(ranges))
            low, high = low + ends[0], high + ends[1]
            value = value.minus(guard.value.scaled(times))
    others = value.bounds(ranges)
    return low + others[0], high + others[1]


def drop_limits(expr: Expr, ranges: Ranges, guards: Sequence[Guard]) -> Affine | None:
    """A subscript as an affine function, without limits that hold where guards do."""
    match expr:
        case Call(_, "likely" | "likely_if_innermost", (value,)):
            return drop_limits(value, ranges, guards)
        case Binary(_, "min" | "max" as op, left, right):
            for inner, limit in ((left, right), (right, left)):
                found = drop_limits(inner, ranges, guards)
                end = linear(limit, ranges)
                if found is None or end is None or end.terms:
                    continue
                low, high = bounds(found, ranges, guards)
                if (high <= end.constant) if op == "min" else (low >= end.constant):
                    return found
            return None
    return linear(expr, ranges)


def fits(guard: Guard, subscripts: Sequence[Affine]) -> bool:
    """Whether what a guard bounds is a subscript, or stands in a flat one."""
    return any(guard.times(subscript) for subscript in subscripts)
