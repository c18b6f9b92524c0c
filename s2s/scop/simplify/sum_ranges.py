"""Constant ranges of sums, tightened where terms depend on each other.

``x - min(x, 5)`` is never negative: the arms of a min, max or select are put in its place one by
one, and ``x/8*8`` is at most 7 below ``x``.
"""

from __future__ import annotations

from collections.abc import Callable

from s2s.scop.expressions import INT32, Binary, Const, Expr, Select
from s2s.scop.linear import Linear, Sum
from s2s.scop.simplify.ranges import (
    UNKNOWN,
    Range,
    intersection,
    larger,
    plus,
    smaller,
    times,
    union,
)

_EXPANSIONS = 3
"""How many terms of a sum are looked into, one inside the other."""


class SumRanges:
    """Ranges of sums by the ranges of terms (``bounds``); ``parse`` gives the sum an operand is."""

    def __init__(self, bounds: Callable[[Expr], Range], parse: Callable[[Expr], Sum]) -> None:
        self._bounds, self._parse = bounds, parse
        self._known: dict[tuple[frozenset[tuple[Expr, int]], int], Range] = {}

    def __call__(self, form: Sum) -> Range:
        """The range of a sum."""
        return self._of(form, _EXPANSIONS)

    def _of(self, form: Sum, depth: int) -> Range:
        if not form.terms:
            return form.constant, form.constant
        key = frozenset(form.terms.items()), depth
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._of_terms(Linear(form.terms), depth)
        return plus(known, (form.constant, form.constant))

    def _of_terms(self, form: Sum, depth: int) -> Range:
        found: Range = (0, 0)
        for term, coefficient in form.terms.items():
            found = plus(found, times(self._bounds(term), coefficient))
        if len(form.terms) < 2 or depth == 0:
            return found
        found = intersection(found, self._of_quotients(form, depth))
        for term, coefficient in form.terms.items():
            arms = self._arms(term, coefficient) if _shares(term, form) else []
            if not arms:
                continue
            rest = form.without(term)
            ranges = [self._of(rest.plus(arm), depth - 1) for arm in arms]
            found = intersection(found, _together(term, coefficient, ranges))
        return found

    def _of_quotients(self, form: Sum, depth: int) -> Range:
        """By the first difference of two quotients: ``(x + 3)/2 - x/2`` is 1 or 2."""
        divisions = [t for t in form.terms if _divisor(t) is not None]
        for term in divisions:
            for other in divisions:
                size, by = form.terms[term], _divisor(term)
                if size <= 0 or form.terms[other] != -size or by is None or _divisor(other) != by:
                    continue
                apart = self._parse(_dividend(term)).minus(self._parse(_dividend(other)))
                low, high = self._of(apart, depth - 1)
                least = None if low is None else low // by
                most = None if high is None else -(-high // by)
                rest = form.without(term).without(other)
                return plus(times((least, most), size), self._of(rest, depth))
        return UNKNOWN

    def _arms(self, term: Expr, coefficient: int) -> list[Sum]:
        """What a term stands for, times its coefficient: its possible values, or their ends."""
        match term:
            case Select():
                return [self._parse(a).scaled(coefficient) for a in (term.then, term.otherwise)]
            case Binary(op="min" | "max"):
                return [self._parse(a).scaled(coefficient) for a in (term.left, term.right)]
            case Binary(op="div", right=Const(value=int(by))) if by > 0 and coefficient % by == 0:
                whole = self._parse(term.left)
                return [e.scaled(coefficient // by) for e in (whole, whole.shifted(1 - by))]
        return []


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


def _shares(term: Expr, form: Sum) -> bool:
    if term.type != INT32 or not isinstance(term, Binary | Select) or term.reads:
        return False
    return any(other is not term and other.variables & term.variables for other in form.terms)


def _together(term: Expr, coefficient: int, ranges: list[Range]) -> Range:
    a, b = ranges
    if isinstance(term, Binary) and term.op in ("min", "max"):
        return smaller(a, b) if (term.op == "min") == (coefficient > 0) else larger(a, b)
    return union(a, b)
