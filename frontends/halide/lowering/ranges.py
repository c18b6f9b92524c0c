"""Constant bounds of expressions: what is known of a value whatever the variables are.

A range is (least, greatest) of integers, None where there is no bound.
"""

from __future__ import annotations

from collections.abc import Callable

from s2s.frontends.halide.lowering.linear import Linear
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

_EXPANSIONS = 3
"""How many min/max/select terms of a sum are looked into, one inside the other."""


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


def of_sum(form: Linear, bounds: Callable[[Expr], Range], parse: Callable[[Expr], Linear]) -> Range:
    """The range of a sum, tightened where terms depend on each other.

    ``x - min(x, 5)`` is never negative: the arms of a min, max or select are put in its place one
    by one, and ``x/8*8`` is at most 7 below ``x``. ``parse`` gives the sum that an operand is.
    """
    return _of_sum(form, bounds, parse, _EXPANSIONS)


def _of_sum(
    form: Linear, bounds: Callable[[Expr], Range], parse: Callable[[Expr], Linear], depth: int
) -> Range:
    found: Range = (form.constant, form.constant)
    for term, coefficient in form.terms.items():
        found = plus(found, times(bounds(term), coefficient))
    if len(form.terms) < 2:
        return found
    found = intersection(found, _quotients(form, bounds, parse, depth))
    if depth == 0:
        return found
    for term, coefficient in form.terms.items():
        if not (term.type == INT32 and isinstance(term, Binary | Select)) or term.reads:
            continue
        if not _shares(term, form):
            continue
        arms = _arms(term, coefficient, parse)
        if not arms:
            continue
        rest = form.without(term)
        ranges = [_of_sum(rest.plus(arm), bounds, parse, depth - 1) for arm in arms]
        found = intersection(found, _together(term, coefficient, ranges))
    return found


def _quotients(
    form: Linear, bounds: Callable[[Expr], Range], parse: Callable[[Expr], Linear], depth: int
) -> Range:
    """The range by the first difference of two quotients: ``(x + 3)/2 - x/2`` is 1 or 2."""
    divisions = [t for t in form.terms if isinstance(t, Binary) and _divisor(t) is not None]
    for term in divisions:
        for other in divisions:
            size = form.terms[term]
            by = _divisor(term)
            if size <= 0 or form.terms[other] != -size or by is None or _divisor(other) != by:
                continue
            apart = parse(_dividend(term)).plus(parse(_dividend(other)), -1)
            low, high = _of_sum(apart, bounds, parse, depth - 1) if depth else UNKNOWN
            difference = (
                None if low is None else low // by,
                None if high is None else -(-high // by),
            )
            rest = form.without(term).without(other)
            return plus(times(difference, size), _of_sum(rest, bounds, parse, depth))
    return UNKNOWN


def _divisor(term: Expr) -> int | None:
    """The positive literal that an INT32 term divides by."""
    if isinstance(term, Binary) and term.op == "div" and term.type == INT32 and not term.reads:
        by = term.right
        if isinstance(by, Const) and int(by.value) > 0:
            return int(by.value)
    return None


def _dividend(term: Expr) -> Expr:
    assert isinstance(term, Binary)
    return term.left


def _shares(term: Expr, form: Linear) -> bool:
    return any(other is not term and other.variables & term.variables for other in form.terms)


def _arms(term: Binary | Select, coefficient: int, parse: Callable[[Expr], Linear]) -> list[Linear]:
    """What the term stands for, times its coefficient: the possible values or the ends of them."""
    match term:
        case Select():
            return [parse(arm).scaled(coefficient) for arm in (term.then, term.otherwise)]
        case Binary(op="min" | "max"):
            return [parse(arm).scaled(coefficient) for arm in (term.left, term.right)]
        case Binary(op="div", right=Const(value=int(by))) if by > 0 and coefficient % by == 0:
            ends = [parse(term.left), parse(term.left).shifted(1 - by)]
            return [end.scaled(coefficient // by) for end in ends]
    return []


def _together(term: Expr, coefficient: int, ranges: list[Range]) -> Range:
    a, b = ranges
    if isinstance(term, Binary) and term.op in ("min", "max"):
        return smaller(a, b) if (term.op == "min") == (coefficient > 0) else larger(a, b)
    return union(a, b)
