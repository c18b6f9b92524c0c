"""Simplification of sums, products, quotients and remainders."""

from __future__ import annotations

from math import gcd

from s2s.scop.build import const
from s2s.scop.expressions import INT32, Binary, Const, Expr
from s2s.scop.linear import Linear, Sum
from s2s.scop.simplify.rules import Simplify


def difference(by: Simplify, node: Binary) -> Expr:
    """``a + b`` and ``a - b`` as one sum."""
    sign = 1 if node.op == "add" else -1
    form = by.linear(node.left).plus(by.linear(node.right), sign)
    return by.build(_remade(by, form))


def _remade(by: Simplify, form: Sum) -> Sum:
    """``x/c*c + x%c`` is ``x``, ``min(x, y) - x`` is ``min(0, y - x)``."""
    for term, coefficient in form.terms.items():
        inside = _into_arms(by, form, term, coefficient)
        if inside is not None:
            return inside
        if not (isinstance(term, Binary) and term.op == "mod"):
            continue
        whole = by(Binary(INT32, "div", term.left, term.right))
        if not isinstance(term.right, Const) or not isinstance(whole, Binary):
            continue
        wanted = coefficient * int(term.right.value)
        if form.terms.get(whole) == wanted:
            rest = form.without(term).without(whole)
            return _remade(by, rest.plus(by.linear(term.left), coefficient))
    return form


def _into_arms(by: Simplify, form: Sum, term: Expr, coefficient: int) -> Sum | None:
    """A sum whose other terms vanish in an arm of this one, or which make an arm vanish."""
    if not (isinstance(term, Binary) and term.op in ("min", "max") and abs(coefficient) == 1):
        return None
    arms = [by.linear(arm).scaled(coefficient) for arm in (term.left, term.right)]
    rest = Linear(form.without(term).terms)
    for arm in arms:
        gone = {t: c for t, c in rest.terms.items() if arm.terms.get(t) == -c}
        if gone and len(gone) in (len(arm.terms), len(rest.terms)):
            break
    else:
        return None
    op = term.op if coefficient > 0 else {"min": "max", "max": "min"}[term.op]
    left, right = (by.build(_remade(by, arm.plus(Linear(gone)))) for arm in arms)
    made = by.linear(by(Binary(INT32, op, left, right)))
    return rest.minus(Linear(gone)).plus(made).shifted(form.constant)


def product(by: Simplify, node: Binary) -> Expr:
    """``a * b``: literals to the right and into sums."""
    left, right = by.linear(node.left), by.linear(node.right)
    if not right.terms:
        return by.build(left.scaled(right.constant))
    if not left.terms:
        return by.build(right.scaled(left.constant))
    return _varying(by, left, right)


def _varying(by: Simplify, left: Sum, right: Sum) -> Expr:
    """A product of two sums, the divisors of each outside: ``4*x * (2*y)`` is ``x*y*8``."""
    factor = 1
    parts: list[Expr] = []
    for form in (left, right):
        content = gcd(form.content, form.constant)
        factor *= content
        parts.append(by.build(_shrunk(form, content)))
    parts.sort(key=by.place)
    term = Binary(INT32, "mul", parts[0], parts[1])
    return by.build(Linear({term: factor}))


def _shrunk(form: Sum, divisor: int) -> Sum:
    return Linear({t: c // divisor for t, c in form.terms.items()}, form.constant // divisor)


def quotient(by: Simplify, node: Binary) -> Expr:
    """``a / c``: what c divides comes out, what stays below c goes away."""
    c = _divisor(node)
    if c is None:
        return node
    if c == 1:
        return node.left
    form = by.linear(node.left)
    outside, inside = form.split(c)
    low, high = by.bounds_of_sum(inside)
    if low is not None and high is not None and low // c == high // c:
        return by.build(outside.shifted(low // c))
    spread = _spread(by, inside, c)
    if spread is not None:
        return by.build(outside.plus(spread))
    return by.build(outside.plus(Linear({_smaller_division(by, inside, c): 1})))


def _spread(by: Simplify, inside: Sum, c: int) -> Sum | None:
    """``min(8*x, 92) / 8`` is ``min(x, 11)``, where no division is left in any arm."""
    if len(inside.terms) != 1:
        return None
    (term, coefficient), *_ = inside.terms.items()
    if not (isinstance(term, Binary) and term.op in ("min", "max") and coefficient > 0):
        return None
    arms: list[Expr] = []
    for arm in (term.left, term.right):
        form = by.linear(arm).scaled(coefficient).shifted(inside.constant)
        divided, rest = form.split(c)
        if rest.terms:
            return None
        arms.append(by.build(divided))
    return by.linear(by(Binary(INT32, term.op, arms[0], arms[1])))


def _smaller_division(by: Simplify, inside: Sum, c: int) -> Expr:
    """``(4*x + 2) / 8`` is ``x / 2``; ``x / 2 / 4`` is ``x / 8``."""
    content = gcd(inside.content, c)
    if content > 1:
        inside, c = _shrunk(inside, content), c // content
    if len(inside.terms) == 1:
        (term, coefficient), *_ = inside.terms.items()
        if coefficient == 1 and isinstance(term, Binary) and term.op == "div":
            first = _divisor(term)
            if first is not None and first > 1:
                whole = by.linear(term.left).shifted(inside.constant * first)
                return by(Binary(INT32, "div", by.build(whole), const(c * first)))
    return Binary(INT32, "div", by.build(inside), const(c))


def modulo(by: Simplify, node: Binary) -> Expr:
    """``a % c``: multiples of c go away; within 0..c-1 the value itself."""
    c = _divisor(node)
    if c is None:
        return node
    if c == 1:
        return const(0)
    form = by.linear(node.left)
    inside = Linear({t: k % c for t, k in form.terms.items() if k % c}, form.constant % c)
    for candidate in (form, inside, inside.shifted(-c)):
        low, high = by.bounds_of_sum(candidate)
        if low is not None and high is not None and low // c == high // c:
            return by.build(candidate.shifted(-(low // c) * c))
    content = gcd(inside.content, c)
    if content > 1 and inside.constant % content == 0:
        term = Binary(INT32, "mod", by.build(_shrunk(inside, content)), const(c // content))
        return by.build(Linear({by(term): content}))
    return Binary(INT32, "mod", by.build(inside), const(c))


def _divisor(node: Binary) -> int | None:
    if isinstance(node.right, Const) and int(node.right.value) > 0:
        return int(node.right.value)
    return None
