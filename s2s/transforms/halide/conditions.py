"""What a condition says about the variables in it: intervals narrowed to where it holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from s2s.scop.build import add, div, mul
from s2s.scop.expressions import INT32, Binary, Const, Expr
from s2s.scop.linear import Sum
from s2s.scop.simplify.interval import Interval
from s2s.scop.simplify.intervals import Bounds
from s2s.scop.simplify.simplify import Simplifier


class Limit(NamedTuple):
    """``variable op value``, op being le, ge or eq."""

    op: str
    value: Expr


def narrow_scope(bounds: Bounds, condition: Expr, known: Expr, lets: Mapping[str, Expr]) -> Bounds:
    """The scope inside a condition: ``known`` is the condition (or its opposite), simplified.

    Only single comparisons narrow, each variable on its own. Names that ``lets`` define from a
    narrowed variable are bounded again.
    """
    found: dict[str, Interval] = {}
    for name in sorted(condition.variables):
        interval = bounds.find(name)
        limit = None if interval is None else solve_comparison(bounds.simplify, known, name)
        if interval is not None and limit is not None:
            found[name] = _limited(bounds, interval, limit)
    for name, interval in found.items():
        bounds = bounds.inner({name: interval})
        changed = {name}
        for let, value in lets.items():
            old = bounds.find(let)
            if let in found or old is None or changed.isdisjoint(value.variables):
                continue
            changed.add(let)
            new = bounds(value)
            bounds = bounds.inner({let: _both(bounds, new, old)})
    return bounds


def _limited(bounds: Bounds, interval: Interval, limit: Limit) -> Interval:
    other = bounds(limit.value)
    low, high = interval
    if limit.op in ("le", "eq") and high is not None and other.high is not None:
        high = bounds.make("min", high, other.high)
    if limit.op in ("ge", "eq") and low is not None and other.low is not None:
        low = bounds.make("max", low, other.low)
    return Interval(low, high)


def _both(bounds: Bounds, a: Interval, b: Interval) -> Interval:
    low = b.low if a.low is None else a.low
    high = b.high if a.high is None else a.high
    if a.low is not None and b.low is not None:
        low = bounds.make("max", a.low, b.low)
    if a.high is not None and b.high is not None:
        high = bounds.make("min", a.high, b.high)
    return Interval(low, high)


def solve_comparison(by: Simplifier, condition: Expr, name: str) -> Limit | None:
    """A comparison solved for a variable that occurs once in it."""
    if not isinstance(condition, Binary) or condition.op not in ("lt", "le", "eq"):
        return None
    if condition.left.type != INT32 or condition.reads:
        return None
    form = by.linear(condition.left).minus(by.linear(condition.right))
    if condition.op == "lt":
        form = form.shifted(1)
    return _isolated(by, form, "eq" if condition.op == "eq" else "le", name)


def _isolated(by: Simplifier, form: Sum, op: str, name: str) -> Limit | None:
    """``form op 0`` solved for the variable."""
    holding = [t for t in form.terms if name in t.variables]
    if len(holding) != 1:
        return None
    (term,) = holding
    size = form.terms[term]
    rest = by.build(form.without(term).scaled(-1 if size > 0 else 1))
    size, upper = abs(size), size > 0
    if op == "eq":
        if size != 1:
            return None
        limit = Limit("eq", rest)
    elif upper:
        limit = Limit("le", by(div(rest, size)))
    else:
        limit = Limit("ge", by(div(add(rest, size - 1), size)))
    if term.variables == {name} and not term.operands:
        return limit
    return _within_division(by, term, limit, name)


def _within_division(by: Simplifier, term: Expr, limit: Limit, name: str) -> Limit | None:
    """``e / c <= r`` is ``e <= r*c + c - 1``; ``e / c >= r`` is ``e >= r*c``."""
    if not isinstance(term, Binary) or term.op != "div" or not isinstance(term.right, Const):
        return None
    c = int(term.right.value)
    if c <= 0 or limit.op == "eq":
        return None
    inside = by.linear(term.left)
    end = by.linear(by(mul(limit.value, c)))
    if limit.op == "le":
        return _isolated(by, inside.minus(end.shifted(c - 1)), "le", name)
    return _isolated(by, end.minus(inside), "le", name)
