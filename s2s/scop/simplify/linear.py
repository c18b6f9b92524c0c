"""Sums of INT32 terms with integer coefficients: the canonical form that the simplifier works on.

int32 arithmetic does not overflow (``s2s.scop.expressions``), so sums may be put in any order.
Sums over data (values that contain loads) are left as written, because their intermediate results
could overflow in another order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import gcd

from s2s.scop.expressions import INT32, Binary, Const, Expr


@dataclass(frozen=True)
class Linear:
    """``sum(coefficient * term) + constant``; no coefficient is 0, no term is itself a sum."""

    terms: dict[Expr, int] = field(default_factory=dict)
    constant: int = 0

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """``self + factor * other``."""
        terms = dict(self.terms)
        for term, coefficient in other.terms.items():
            total = terms.get(term, 0) + factor * coefficient
            if total:
                terms[term] = total
            else:
                terms.pop(term, None)
        return Linear(terms, self.constant + factor * other.constant)

    def minus(self, other: Linear) -> Linear:
        """``self - other``."""
        return self.plus(other, -1)

    def shifted(self, constant: int) -> Linear:
        """``self + constant``."""
        return Linear(self.terms, self.constant + constant) if constant else self

    def scaled(self, factor: int) -> Linear:
        """``factor * self``."""
        if factor == 0:
            return Linear()
        scaled = {term: c * factor for term, c in self.terms.items()}
        return Linear(scaled, self.constant * factor)

    def without(self, term: Expr) -> Linear:
        """The sum with one term left out."""
        return Linear({t: c for t, c in self.terms.items() if t is not term}, self.constant)

    @property
    def content(self) -> int:
        """The greatest common divisor of the coefficients, 0 without terms."""
        return gcd(*self.terms.values()) if self.terms else 0


def common(sums: Iterable[Linear]) -> Linear:
    """The terms, without constant, that all sums share with equal coefficients."""
    first, *others = sums
    return Linear(
        {t: c for t, c in first.terms.items() if all(o.terms.get(t) == c for o in others)}
    )


def expression(form: Linear, order: Callable[[Expr], int]) -> Expr:
    """The sum as an expression: added terms, then subtracted ones, the constant last."""
    terms = sorted(form.terms.items(), key=lambda item: (item[1] < 0, order(item[0])))
    constant = form.constant
    result: Expr | None = None
    for term, coefficient in terms:
        if result is None and coefficient < 0:
            result, constant = Const(INT32, constant), 0
        size = abs(coefficient)
        value = term if size == 1 else Binary(INT32, "mul", term, Const(INT32, size))
        if result is None:
            result = value
        else:
            result = Binary(INT32, "add" if coefficient > 0 else "sub", result, value)
    if result is None:
        return Const(INT32, constant)
    if constant:
        op = "add" if constant > 0 else "sub"
        result = Binary(INT32, op, result, Const(INT32, abs(constant)))
    return result
