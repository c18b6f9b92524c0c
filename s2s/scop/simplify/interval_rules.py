"""Rules of interval arithmetic: what operations make of the bounds of their operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from s2s.scop.build import FALSE, TRUE, negate, select
from s2s.scop.expressions import BOOL, INT32, Binary, Call, Cast, Const, Expr, Type
from s2s.scop.rewrite import rebuild
from s2s.scop.simplify.interval import EVERYTHING, Interval, of_type
from s2s.scop.simplify.simplify import Simplifier


class Asked(Protocol):
    """Bounds of operands; ``make`` is the operation on two ends, None if one is unbounded."""

    simplify: Simplifier

    def __call__(self, expr: Expr) -> Interval: ...

    def make(
        self, op: str, a: Expr | None, b: Expr | None, kind: Type | None = None
    ) -> Expr | None: ...


def _pointwise(by: Asked, expr: Binary, a: Interval, b: Interval) -> Interval | None:
    if a.point is None or b.point is None or expr.reads:
        return None
    value = by.simplify(Binary(expr.type, expr.op, a.point, b.point))
    return Interval(value, value)


def _within(by: Asked, expr: Binary, found: Interval, ends: list[tuple[Expr, Expr]]) -> Interval:
    """The bounds unless the operation may wrap: then those of the type."""
    kind = expr.type
    if kind.is_float or not kind.wraps:
        return found
    corners = [by.simplify.bounds(end) for pair in ends for end in pair]
    if not found.bounded or any(None in corner for corner in corners):
        return of_type(kind)
    for x, y in ends:
        for left in by.simplify.bounds(x):
            for right in by.simplify.bounds(y):
                if left is None or right is None or not _holds(kind, expr.op, left, right):
                    return of_type(kind)
    return found


def _holds(kind: Type, op: str, a: int, b: int) -> bool:
    value = a * b if op == "mul" else a + b if op == "add" else a - b
    return kind.smallest <= value <= kind.largest


def _sum(by: Asked, expr: Binary) -> Interval:
    a, b = by(expr.left), by(expr.right)
    if expr.op == "sub":
        found = Interval(by.make("sub", a.low, b.high), by.make("sub", a.high, b.low))
        ends = [(a.low, b.high), (a.high, b.low)]
    else:
        found = Interval(by.make("add", a.low, b.low), by.make("add", a.high, b.high))
        ends = [(a.low, b.low), (a.high, b.high)]
    point = _pointwise(by, expr, a, b)
    return point or _within(by, expr, found, [(x, y) for x, y in ends if x and y])


def _product(by: Asked, expr: Binary) -> Interval:
    a, b = by(expr.left), by(expr.right)
    point = _pointwise(by, expr, a, b)
    if point is not None:
        return point
    if a.point is not None:
        a, b = b, a
    found = of_type(expr.type)
    if b.point is not None:
        found = _scaled(by, expr, a, b.point)
    elif a.bounded and b.bounded:
        corners = [by.make("mul", x, y) for x in a for y in b]
        found = Interval(_fold(by, "min", corners), _fold(by, "max", corners))
    ends = [(x, y) for x in a for y in b if x and y]
    return _within(by, expr, found if a.bounded or not expr.type.wraps else EVERYTHING, ends)


def _scaled(by: Asked, expr: Binary, a: Interval, factor: Expr) -> Interval:
    low, high = by.make("mul", a.low, factor), by.make("mul", a.high, factor)
    sign = factor.value if isinstance(factor, Const) else None
    if sign == 0:
        return Interval(factor, factor)
    if expr.type.code == "uint" or (sign is not None and sign > 0):
        return Interval(low, high)
    if sign is not None:
        return Interval(high, low)
    if low is None or high is None:
        return of_type(expr.type)
    return _by_sign(by, Binary(BOOL, "ge", factor, _zero(factor.type)), low, high)


def _by_sign(by: Asked, positive: Expr, low: Expr, high: Expr) -> Interval:
    """From low to high where something is positive, from high to low where it is not."""
    ends = select(positive, low, high), select(positive, high, low)
    return Interval(*(by.simplify(end) for end in ends))


def _zero(kind: Type) -> Expr:
    return Const(kind, 0 if kind.is_integer else 0.0)


def _fold(by: Asked, op: str, parts: list[Expr | None]) -> Expr | None:
    result = parts[0]
    for part in parts[1:]:
        result = by.make(op, result, part)
    return result


def _quotient(by: Asked, expr: Binary) -> Interval:
    a, b = by(expr.left), by(expr.right)
    point = _pointwise(by, expr, a, b)
    if point is not None:
        return point
    if b.point is not None and isinstance(b.point, Const):
        return _divided(by, expr, a, b.point)
    if b.point is not None and a.low is not None and a.high is not None:
        return _divided_by_unknown(by, expr, a, b.point)
    if expr.type != INT32 or not a.bounded:
        return of_type(expr.type)
    if b.low is not None and b.high is not None and (by.simplify.bounds(b.low)[0] or 0) > 0:
        corners = [by.make("div", x, y) for x in a for y in b]
        return Interval(_fold(by, "min", corners), _fold(by, "max", corners))
    low, high = a
    assert low is not None and high is not None
    parts = [low, high, by.make("sub", Const(INT32, 0), low), by.make("sub", Const(INT32, 0), high)]
    return Interval(_fold(by, "min", parts), _fold(by, "max", parts))


def _divided_by_unknown(by: Asked, expr: Binary, a: Interval, divisor: Expr) -> Interval:
    if expr.type.is_integer and expr.type.wraps and expr.type.code == "int":
        return of_type(expr.type)
    low, high = by.make("div", a.low, divisor), by.make("div", a.high, divisor)
    assert low is not None and high is not None
    known = by.simplify.bounds(divisor)[0] if expr.type.is_integer else None
    if expr.type.code == "uint" or (known is not None and known >= 0):
        return Interval(low, high)
    return _by_sign(by, Binary(BOOL, "gt", divisor, _zero(expr.type)), low, high)


def _divided(by: Asked, expr: Binary, a: Interval, divisor: Const) -> Interval:
    low, high = by.make("div", a.low, divisor), by.make("div", a.high, divisor)
    if divisor.value > 0:
        return Interval(low, high)
    if divisor.value < 0 and not (expr.type.wraps and expr.type.is_integer):
        return Interval(high, low)
    return of_type(expr.type)


def _remainder(by: Asked, expr: Binary) -> Interval:
    a, b = by(expr.left), by(expr.right)
    point = _pointwise(by, expr, a, b)
    if point is not None:
        return point
    kind = expr.type
    if not kind.is_integer:
        return EVERYTHING
    zero, one = Const(kind, 0), Const(kind, 1)
    if b.low is None or b.high is None:
        positive = a.low is not None and (by.simplify.bounds(a.low)[0] or -1) >= 0
        return Interval(zero, a.high if positive else None)
    most = by.make("sub", b.high, one)
    if (by.simplify.bounds(b.low)[0] or 0) > 0:
        return Interval(zero, most)
    if kind.code == "uint":
        return Interval(zero, b.high)
    most = by.make("max", zero, most)
    return Interval(zero, by.make("max", most, by.make("sub", Const(kind, -1), b.low)))


def _extremum(by: Asked, expr: Binary) -> Interval:
    a, b = by(expr.left), by(expr.right)
    low, high = by.make(expr.op, a.low, b.low), by.make(expr.op, a.high, b.high)
    if expr.op == "min" and high is None:
        high = b.high if a.high is None else a.high
    if expr.op == "max" and low is None:
        low = b.low if a.low is None else a.low
    return Interval(low, high)


def _order(by: Asked, expr: Binary) -> Interval:
    op, left, right = expr.op, expr.left, expr.right
    if op in ("gt", "ge"):
        op, left, right = ("lt" if op == "gt" else "le"), right, left
    a, b = by(left), by(right)
    low, high = by.make(op, a.high, b.low, BOOL), by.make(op, a.low, b.high, BOOL)
    return Interval(low or FALSE, high or TRUE)


def _equality(by: Asked, expr: Binary) -> Interval:
    a, b = by(expr.left), by(expr.right)
    point = _pointwise(by, expr, a, b)
    if point is not None:
        return point
    meet = by.make("le", a.low, b.high, BOOL) or TRUE
    other = by.make("le", b.low, a.high, BOOL) or TRUE
    overlap = by.simplify(Binary(BOOL, "and", meet, other))
    if expr.op == "eq":
        return Interval(FALSE, overlap)
    return Interval(by.simplify(negate(overlap)), TRUE)


def _logic(by: Asked, expr: Binary) -> Interval:
    a, b = by(expr.left), by(expr.right)
    low = by.make(expr.op, a.low or FALSE, b.low or FALSE)
    return Interval(low, by.make(expr.op, a.high or TRUE, b.high or TRUE))


def _bits(by: Asked, expr: Binary) -> Interval:
    a, b = by(expr.left), by(expr.right)
    point = _pointwise(by, expr, a, b)
    if point is not None:
        return point
    by_constant = b.point if isinstance(b.point, Const) else None
    if expr.op in ("shl", "shr") and by_constant is not None:
        if 0 <= by_constant.value < expr.type.bits and (expr.op == "shr" or expr.type == INT32):
            return Interval(by.make(expr.op, a.low, b.point), by.make(expr.op, a.high, b.point))
    elif expr.op == "shr" and a.low is not None and (by.simplify.bounds(a.low)[0] or -1) >= 0:
        return Interval(Const(expr.type, 0), a.high)
    elif expr.op == "band":
        return _masked(by, expr, a, b)
    return of_type(expr.type)


def _masked(by: Asked, expr: Binary, a: Interval, b: Interval) -> Interval:
    """``x & mask`` lies between 0 and each operand that is not negative."""
    least = [None if i.low is None else by.simplify.bounds(i.low)[0] for i in (a, b)]
    ends = [i.high for i, low in zip((a, b), least, strict=True) if low is not None and low >= 0]
    known = [end for end in ends if end is not None]
    if not ends:
        return of_type(expr.type)
    high = _fold(by, "min", list(known)) if known else None
    return Interval(Const(expr.type, 0), high)


def _absolute(by: Asked, expr: Call, ends: list[Interval]) -> Interval:
    (a,) = ends
    kind = expr.arguments[0].type
    zero = Const(kind, 0 if kind.is_integer else 0.0)
    if not kind.is_integer or a.low is None or a.high is None:
        return Interval(Const(expr.type, zero.value), None)
    low = by.make("max", a.low, by.make("sub", zero, by.make("min", zero, a.high)))
    if kind.bits >= 32:
        high = by.make("max", by.make("sub", zero, a.low), a.high)
        parts = (low, high)
        return Interval(*(None if p is None else by.simplify(Cast(expr.type, p)) for p in parts))
    ranges = by.simplify.bounds(a.low)[0], by.simplify.bounds(a.high)[1]
    if ranges[0] is None or ranges[1] is None:
        return of_type(expr.type)
    least = max(0, ranges[0], -ranges[1])
    most = max(abs(ranges[0]), abs(ranges[1]))
    return Interval(Const(expr.type, least), Const(expr.type, most))


def _saturated(by: Asked, expr: Call, ends: list[Interval]) -> Interval:
    """``saturating_cast`` keeps the order of what it converts."""
    (a,) = ends
    natural = of_type(expr.type)
    if a.low is None or a.high is None or not a.low.type.is_integer or not expr.type.is_integer:
        return natural
    low, high = by.simplify.bounds(a.low)[0], by.simplify.bounds(a.high)[1]
    if low is None or high is None:
        return natural
    least, most = expr.type.smallest, expr.type.largest
    return Interval(
        Const(expr.type, min(max(low, least), most)), Const(expr.type, min(max(high, least), most))
    )


def _muxed(by: Asked, expr: Call, ends: list[Interval]) -> Interval:
    lows, highs = [e.low for e in ends[1:]], [e.high for e in ends[1:]]
    return Interval(_fold(by, "min", lows), _fold(by, "max", highs))


BINARY: dict[str, Callable[[Asked, Binary], Interval]] = {
    **dict.fromkeys(("add", "sub"), _sum),
    **dict.fromkeys(("min", "max"), _extremum),
    **dict.fromkeys(("lt", "le", "gt", "ge"), _order),
    **dict.fromkeys(("eq", "ne"), _equality),
    **dict.fromkeys(("and", "or"), _logic),
    **dict.fromkeys(("band", "bor", "bxor", "shl", "shr"), _bits),
    "mul": _product,
    "div": _quotient,
    "mod": _remainder,
}


def _growing(by: Asked, expr: Call, ends: list[Interval]) -> Interval:
    """Functions that keep the order of their argument."""
    (a,) = ends
    parts = (None if e is None else by.simplify(rebuild(expr, (e,))) for e in a)
    return Interval(*parts)


CALLS: dict[str, Callable[[Asked, Call, list[Interval]], Interval]] = {
    "abs": _absolute,
    "saturating_cast": _saturated,
    "mux": _muxed,
    **dict.fromkeys(("floor", "ceil", "round", "trunc", "sqrt", "exp", "log"), _growing),
}
