"""Conditions on one variable solved: up to where they certainly hold."""

from __future__ import annotations

from typing import NamedTuple

from s2s.scop.build import TRUE
from s2s.scop.expressions import BOOL, INT32, Binary, Const, Expr
from s2s.scop.linear import Sum
from s2s.scop.simplify.simplify import Simplifier
from s2s.transforms.halide.conditions import solve_comparison


class Span(NamedTuple):
    """Values for which a condition holds; ``empty``: none are known."""

    low: Expr | None = None
    high: Expr | None = None
    empty: bool = False


NOWHERE = Span(empty=True)


def inner_span(by: Simplifier, condition: Expr, name: str) -> Span:
    """Values of a variable for which a condition holds, perhaps not all of them."""
    condition = by(condition)
    if condition is TRUE:
        return Span()
    if name not in condition.variables:
        return NOWHERE
    if isinstance(condition, Binary) and condition.op in ("and", "or"):
        parts = inner_span(by, condition.left, name), inner_span(by, condition.right, name)
        return _both(by, *parts) if condition.op == "and" else _either(*parts)
    limit = solve_comparison(by, condition, name)
    if limit is not None:
        low = None if limit.op == "le" else limit.value
        return Span(low, None if limit.op == "ge" else limit.value)
    parted = _without_extremum(by, condition, name)
    return NOWHERE if parted is None else inner_span(by, parted, name)


def _both(by: Simplifier, a: Span, b: Span) -> Span:
    if a.empty or b.empty:
        return NOWHERE
    return Span(_end(by, "max", a.low, b.low), _end(by, "min", a.high, b.high))


def _end(by: Simplifier, op: str, a: Expr | None, b: Expr | None) -> Expr | None:
    if a is None or b is None:
        return b if a is None else a
    return by(Binary(INT32, op, a, b))


def _either(a: Span, b: Span) -> Span:
    return b if a.empty else a


def _without_extremum(by: Simplifier, condition: Expr, name: str) -> Expr | None:
    """``min(a, b) + c <= 0`` is ``a + c <= 0 or b + c <= 0``; for max both must hold."""
    if not isinstance(condition, Binary) or condition.op not in ("lt", "le"):
        return None
    if condition.left.type != INT32 or condition.reads:
        return None
    form = by.linear(condition.left).minus(by.linear(condition.right))
    if sum(name in term.variables for term in form.terms) != 1:
        return None
    for term, coefficient in form.terms.items():
        if not isinstance(term, Binary) or term.op not in ("min", "max"):
            continue
        if name not in term.variables:
            continue
        rest = form.without(term)
        arms = [rest.plus(by.linear(arm), coefficient) for arm in (term.left, term.right)]
        op = "or" if (term.op == "min") == (coefficient > 0) else "and"
        return Binary(BOOL, op, *(_at_most_zero(by, arm, condition.op) for arm in arms))
    return None


def _at_most_zero(by: Simplifier, form: Sum, op: str) -> Expr:
    return Binary(BOOL, op, by.build(form), Const(INT32, 0))
