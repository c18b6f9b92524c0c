"""Bounds of expressions: the interval of values as variables run over intervals of their own.

The rules are those of interval arithmetic as Halide's bounds inference applies them, so that
regions, and with them loop extents, come out the same: an operand that does not vary is a point,
sums and products take the ends, what may wrap falls back to the bounds of its type, and loads are
bounded by what is known of the Func's values.
"""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from s2s.scop.build import FALSE, TRUE, negate, select
from s2s.scop.expressions import (
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
from s2s.scop.simplify.interval import EVERYTHING, Interval, ValueBounds, of_type
from s2s.scop.simplify.interval_rules import BINARY, CALLS
from s2s.scop.simplify.simplify import Simplifier


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
                return BINARY[op](self, expr)
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
        rule = CALLS.get(name)
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
