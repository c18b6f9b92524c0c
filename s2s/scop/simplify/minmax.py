"""Simplification of minima and maxima of INT32 sums."""

from __future__ import annotations

from functools import reduce

from s2s.scop.expressions import INT32, Binary, Expr
from s2s.scop.linear import Linear, Sum, common
from s2s.scop.simplify.rules import Simplify

_MOST = 12
"""Arms up to which each is compared with every other one."""


def extremum(by: Simplify, node: Binary) -> Expr:
    """``min`` or ``max``: arms that cannot win go away, terms that all share come out."""
    arms = _arms(by, node)
    if len(arms) <= _MOST:
        arms = _undominated(by, arms, node.op)
    if len(arms) == 1:
        return by.build(arms[0])
    shared = common(arms)
    rest = [arm.minus(shared) for arm in arms]
    varying = [arm for arm in rest if arm.terms]
    shift = min(arm.constant for arm in varying) if varying else 0
    rest = [arm.shifted(-shift) for arm in rest]
    rest.sort(key=lambda arm: _place(by, arm))
    chosen = reduce(lambda a, b: Binary(INT32, node.op, a, b), (by.build(arm) for arm in rest))
    return by.build(shared.shifted(shift).plus(Linear({chosen: 1})))


def _arms(by: Simplify, node: Binary) -> list[Sum]:
    """The arms of nested extrema of the same kind, sums around them carried inward."""
    found: dict[tuple[frozenset[tuple[Expr, int]], int], Sum] = {}
    waiting = [by.linear(node.right), by.linear(node.left)]
    while waiting:
        form = waiting.pop()
        inner = _nested(form, node.op)
        if inner is None:
            found.setdefault((frozenset(form.terms.items()), form.constant), form)
        else:
            rest = form.without(inner)
            waiting += [rest.plus(by.linear(inner.right)), rest.plus(by.linear(inner.left))]
    return list(found.values())


def _nested(form: Sum, op: str) -> Binary | None:
    """The one term of the sum that is an extremum of this kind, once."""
    inner = [t for t, c in form.terms.items() if isinstance(t, Binary) and t.op == op and c == 1]
    if len(inner) == 1 and inner[0].type == INT32:
        return inner[0]
    return None


def _undominated(by: Simplify, arms: list[Sum], op: str) -> list[Sum]:
    kept: list[Sum] = []
    for arm in arms:
        if any(_never_better(by, arm, other, op) for other in kept):
            continue
        kept = [other for other in kept if not _never_better(by, other, arm, op)] + [arm]
    return kept


def _never_better(by: Simplify, arm: Sum, other: Sum, op: str) -> bool:
    low, high = by.bounds_of_sum(arm.minus(other))
    return low is not None and low >= 0 if op == "min" else high is not None and high <= 0


def _place(by: Simplify, arm: Sum) -> tuple[bool, list[int], int]:
    """Arms with variables first, by their terms; the literal last."""
    return not arm.terms, sorted(by.place(t) for t in arm.terms), arm.constant
