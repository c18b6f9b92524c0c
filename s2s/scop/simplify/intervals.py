"""Bounds of expressions: the interval of values as variables run over intervals of their own.

The rules are those of interval arithmetic as Halide's bounds inference applies them, so that
regions, and with them loop extents, come out the same: an operand that does not vary is a point,
sums and products take the ends, what may wrap falls back to the bounds of its type, and loads are
bounded by what is known of the Func's values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

from s2s.scop.build import FALSE, TRUE, negate, select
from s2s.scop.expressions import (
    BOOL,
    INT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Let,
    Load,
    Select,
    Type,
    Unary,
    Variable,
)
from s2s.scop.rewrite import rebuild, transform
from s2s.scop.simplify.simplify import Simplifier


class Interval(NamedTuple):
    """From ``low`` to ``high``, both included; None where there is no bound."""

    low: Expr | None
    high: Expr | None

    @property
    def point(self) -> Expr | None:
        """The one value of the interval."""
        return self.low if self.low is self.high else None

    @property
    def bounded(self) -> bool:
        """Whether both ends are there."""
        return self.low is not None and self.high is not None


EVERYTHING = Interval(None, None)

ValueBounds = Mapping[tuple[str, int], Interval]
"""Bounds of the values of a Func, by its name and the component."""


def of_type(kind: Type) -> Interval:
    """What the type says: types up to 16 bits are bounded, wider ones count as unbounded."""
    if kind.is_integer and kind.bits <= 16:
        return Interval(Const(kind, kind.smallest), Const(kind, kind.largest))
    return EVERYTHING


class Bounds:
    """Bounds of expressions over a scope of intervals; ``simplify`` keeps the ends short."""

    def __init__(
        self,
        simplify: Simplifier,
        scope: Mapping[str, Interval],
        values: ValueBounds | None = None,
        outer: Bounds | None = None,
    ) -> None:
        self.simplify = simplify
        self.values: ValueBounds = values if values is not None else {}
        self._scope = dict(scope)
        self._own = frozenset(self._scope)
        self._all: frozenset[str] = self._own | (outer._all if outer else frozenset())
        self._outer = outer
        self._done: dict[Expr, Interval] = {}
        self._asked: set[str] = set()

    def inner(self, scope: Mapping[str, Interval]) -> Bounds:
        """A scope in which more variables vary."""
        return Bounds(self.simplify, scope, self.values, self)

    def with_name(self, name: str, interval: Interval) -> Bounds:
        """A scope with one more name: this one, if nothing was asked about that name before."""
        if self._outer is not None and name not in self._asked and name not in self._all:
            self._scope[name] = interval
            self._own |= {name}
            self._all |= {name}
            return self
        return self.inner({name: interval})

    def find(self, name: str) -> Interval | None:
        """The interval of a variable; None if it does not vary."""
        found = self._scope.get(name)
        if found is None and self._outer is not None:
            return self._outer.find(name)
        return found

    def varies(self, expr: Expr) -> bool:
        """Whether any variable of the scope occurs."""
        return not self._all.isdisjoint(expr.variables)

    def __call__(self, expr: Expr) -> Interval:
        """The bounds of an expression, simplified."""
        if self._outer is not None and self._own.isdisjoint(expr.variables):
            return self._outer(expr)
        found = self._done.get(expr)
        if found is None:
            self._asked |= expr.variables
            found = self._done[expr] = self._of(expr)
        return found

    def _of(self, expr: Expr) -> Interval:
        if not expr.reads and not self.varies(expr):
            return self._point(expr)
        match expr:
            case Variable(name=name):
                return self.find(name) or self._point(expr)
            case Binary(op=op):
                return _BINARY[op](self, expr)
            case Unary():
                return self._unary(expr)
            case Cast():
                return self._cast(expr)
            case Select():
                return self._select(expr.condition, expr.then, expr.otherwise)
            case Let(name=name):
                return self.inner({name: self(expr.value)})(expr.body)
            case Load():
                return self._load(expr)
            case Call():
                return self._call(expr)
        return of_type(expr.type)

    def _point(self, expr: Expr) -> Interval:
        value = self.simplify(drop_promises(expr))
        return Interval(value, value)

    def _load(self, expr: Load) -> Interval:
        natural = of_type(expr.type)
        known = self.values.get((expr.tensor, expr.component), EVERYTHING)
        low = natural.low if known.low is None else known.low
        return Interval(low, natural.high if known.high is None else known.high)

    def _unary(self, expr: Unary) -> Interval:
        value = self(expr.value)
        if expr.op != "not":
            return of_type(expr.type)
        low = None if value.high is None else self.simplify(negate(value.high))
        return Interval(low, None if value.low is None else self.simplify(negate(value.low)))

    def make(
        self, op: str, a: Expr | None, b: Expr | None, kind: Type | None = None
    ) -> Expr | None:
        """``a op b`` simplified; None if one of them is unbounded."""
        if a is None or b is None:
            return None
        return self.simplify(Binary(kind or a.type, op, a, b))

    def _cast(self, expr: Cast) -> Interval:
        value, to, source = self(expr.value), expr.type, expr.value.type
        if value.point is not None:
            return self._point(Cast(to, value.point))
        wide = (to.code == "int" and to.bits >= 32) or to.is_float
        if not (wide or _represents(to, source)):
            value = self._narrowed(value, to)
            if not value.bounded:
                return of_type(to)
        natural = of_type(source)
        low = natural.low if value.low is None else value.low
        high = natural.high if value.high is None else value.high
        return Interval(self._converted(to, low), self._converted(to, high))

    def _converted(self, to: Type, end: Expr | None) -> Expr | None:
        return None if end is None else self.simplify(Cast(to, end))

    def _narrowed(self, value: Interval, to: Type) -> Interval:
        """Constant ends that the narrower type holds; else nothing is known."""
        if value.low is None or value.high is None or not value.low.type.is_integer:
            return EVERYTHING
        low, _ = self.simplify.bounds(value.low)
        _, high = self.simplify.bounds(value.high)
        if low is None or high is None or low < to.smallest or high > to.largest:
            return EVERYTHING
        return Interval(Const(value.low.type, low), Const(value.low.type, high))

    def _select(self, condition: Expr, then: Expr, otherwise: Expr) -> Interval:
        a, b, cond = self(then), self(otherwise), self(condition)
        if cond.point is TRUE or cond.point is FALSE:
            return a if cond.point is TRUE else b
        return Interval(
            self._chosen("min", cond, a.low, b.low), self._chosen("max", cond, a.high, b.high)
        )

    def _chosen(self, op: str, cond: Interval, a: Expr | None, b: Expr | None) -> Expr | None:
        if a is None or b is None or a is b:
            return a if a is b else None
        if cond.point is not None:
            return self.simplify(select(cond.point, a, b))
        surely = FALSE if cond.low is None else cond.low
        maybe = TRUE if cond.high is None else cond.high
        if surely is FALSE and maybe is TRUE:
            return self.make(op, a, b)
        return self.make(op, select(surely, a, b), select(maybe, a, b))

    def _call(self, expr: Call) -> Interval:
        name, arguments = expr.name, expr.arguments
        if name in ("likely", "likely_if_innermost"):
            return self(arguments[0])
        if name in ("unsafe_promise_clamped", "promise_clamped"):
            return self._promised(*(self(a) for a in arguments))
        if name == "if_then_else":
            return self._select(arguments[0], arguments[1], arguments[-1])
        rule = _CALLS.get(name)
        ends = [self(a) for a in arguments]
        if rule is not None:
            return rule(self, expr, ends)
        if not expr.reads and all(end.point is not None for end in ends):
            return self._point(rebuild(expr, tuple(e.point for e in ends if e.point is not None)))
        return of_type(expr.type)

    def _promised(self, value: Interval, low: Interval, high: Interval) -> Interval:
        least = value.low if low.low is None else low.low
        if value.low is not None and low.low is not None:
            least = self.make("max", value.low, low.low)
        most = value.high if high.high is None else high.high
        if value.high is not None and high.high is not None:
            most = self.make("min", value.high, high.high)
        return Interval(least, most)


_PLAIN: WeakKeyDictionary[Expr, Expr] = WeakKeyDictionary()


def drop_promises(expr: Expr) -> Expr:
    """The expression without ``promise_clamped``, which holds only in the place where it stands."""
    plain = _PLAIN.get(expr)
    if plain is None:
        plain = _PLAIN[expr] = transform(expr, _promised_value)
    return plain


def _promised_value(node: Expr) -> Expr:
    if isinstance(node, Call) and node.name == "promise_clamped":
        return node.arguments[0]
    return node


def _represents(to: Type, source: Type) -> bool:
    if not (to.is_integer and source.is_integer):
        return False
    return to.smallest <= source.smallest and source.largest <= to.largest


def _pointwise(by: Bounds, expr: Binary, a: Interval, b: Interval) -> Interval | None:
    if a.point is None or b.point is None or expr.reads:
        return None
    value = by.simplify(Binary(expr.type, expr.op, a.point, b.point))
    return Interval(value, value)


def _within(by: Bounds, expr: Binary, found: Interval, ends: list[tuple[Expr, Expr]]) -> Interval:
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


def _sum(by: Bounds, expr: Binary) -> Interval:
    a, b = by(expr.left), by(expr.right)
    if expr.op == "sub":
        found = Interval(by.make("sub", a.low, b.high), by.make("sub", a.high, b.low))
        ends = [(a.low, b.high), (a.high, b.low)]
    else:
        found = Interval(by.make("add", a.low, b.low), by.make("add", a.high, b.high))
        ends = [(a.low, b.low), (a.high, b.high)]
    point = _pointwise(by, expr, a, b)
    return point or _within(by, expr, found, [(x, y) for x, y in ends if x and y])


def _product(by: Bounds, expr: Binary) -> Interval:
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


def _scaled(by: Bounds, expr: Binary, a: Interval, factor: Expr) -> Interval:
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


def _by_sign(by: Bounds, positive: Expr, low: Expr, high: Expr) -> Interval:
    """From low to high where something is positive, from high to low where it is not."""
    ends = select(positive, low, high), select(positive, high, low)
    return Interval(*(by.simplify(end) for end in ends))


def _zero(kind: Type) -> Expr:
    return Const(kind, 0 if kind.is_integer else 0.0)


def _fold(by: Bounds, op: str, parts: list[Expr | None]) -> Expr | None:
    result = parts[0]
    for part in parts[1:]:
        result = by.make(op, result, part)
    return result


def _quotient(by: Bounds, expr: Binary) -> Interval:
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


def _divided_by_unknown(by: Bounds, expr: Binary, a: Interval, divisor: Expr) -> Interval:
    if expr.type.is_integer and expr.type.wraps and expr.type.code == "int":
        return of_type(expr.type)
    low, high = by.make("div", a.low, divisor), by.make("div", a.high, divisor)
    assert low is not None and high is not None
    known = by.simplify.bounds(divisor)[0] if expr.type.is_integer else None
    if expr.type.code == "uint" or (known is not None and known >= 0):
        return Interval(low, high)
    return _by_sign(by, Binary(BOOL, "gt", divisor, _zero(expr.type)), low, high)


def _divided(by: Bounds, expr: Binary, a: Interval, divisor: Const) -> Interval:
    low, high = by.make("div", a.low, divisor), by.make("div", a.high, divisor)
    if divisor.value > 0:
        return Interval(low, high)
    if divisor.value < 0 and not (expr.type.wraps and expr.type.is_integer):
        return Interval(high, low)
    return of_type(expr.type)


def _remainder(by: Bounds, expr: Binary) -> Interval:
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


def _extremum(by: Bounds, expr: Binary) -> Interval:
    a, b = by(expr.left), by(expr.right)
    low, high = by.make(expr.op, a.low, b.low), by.make(expr.op, a.high, b.high)
    if expr.op == "min" and high is None:
        high = b.high if a.high is None else a.high
    if expr.op == "max" and low is None:
        low = b.low if a.low is None else a.low
    return Interval(low, high)


def _order(by: Bounds, expr: Binary) -> Interval:
    op, left, right = expr.op, expr.left, expr.right
    if op in ("gt", "ge"):
        op, left, right = ("lt" if op == "gt" else "le"), right, left
    a, b = by(left), by(right)
    low, high = by.make(op, a.high, b.low, BOOL), by.make(op, a.low, b.high, BOOL)
    return Interval(low or FALSE, high or TRUE)


def _equality(by: Bounds, expr: Binary) -> Interval:
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


def _logic(by: Bounds, expr: Binary) -> Interval:
    a, b = by(expr.left), by(expr.right)
    low = by.make(expr.op, a.low or FALSE, b.low or FALSE)
    return Interval(low, by.make(expr.op, a.high or TRUE, b.high or TRUE))


def _bits(by: Bounds, expr: Binary) -> Interval:
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


def _masked(by: Bounds, expr: Binary, a: Interval, b: Interval) -> Interval:
    """``x & mask`` lies between 0 and each operand that is not negative."""
    least = [None if i.low is None else by.simplify.bounds(i.low)[0] for i in (a, b)]
    ends = [i.high for i, low in zip((a, b), least, strict=True) if low is not None and low >= 0]
    known = [end for end in ends if end is not None]
    if not ends:
        return of_type(expr.type)
    high = _fold(by, "min", list(known)) if known else None
    return Interval(Const(expr.type, 0), high)


def _absolute(by: Bounds, expr: Call, ends: list[Interval]) -> Interval:
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


def _saturated(by: Bounds, expr: Call, ends: list[Interval]) -> Interval:
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


def _muxed(by: Bounds, expr: Call, ends: list[Interval]) -> Interval:
    lows, highs = [e.low for e in ends[1:]], [e.high for e in ends[1:]]
    return Interval(_fold(by, "min", lows), _fold(by, "max", highs))


_BINARY: dict[str, Callable[[Bounds, Binary], Interval]] = {
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


def _growing(by: Bounds, expr: Call, ends: list[Interval]) -> Interval:
    """Functions that keep the order of their argument."""
    (a,) = ends
    parts = (None if e is None else by.simplify(rebuild(expr, (e,))) for e in a)
    return Interval(*parts)


_CALLS: dict[str, Callable[[Bounds, Call, list[Interval]], Interval]] = {
    "abs": _absolute,
    "saturating_cast": _saturated,
    "mux": _muxed,
    **dict.fromkeys(("floor", "ceil", "round", "trunc", "sqrt", "exp", "log"), _growing),
}
