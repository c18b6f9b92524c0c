"""Sums of floats, whose terms are added in the order in which the program adds them.

A statement on floats is a chain ``start + term + term ...``, each term an element, a product of two
or one by a number; then it may be multiplied by a number, and limited. Anything else (a sum that is
added to a sum, a product of three) rounds elsewhere than a chain of multiply-and-add does.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from math import copysign, frexp

from s2s.analyses.contractions.forms import Factor, Product, Sum
from s2s.analyses.contractions.statements import AffineStore
from s2s.analyses.contractions.sums import sum_of
from s2s.analyses.contractions.values import Value
from s2s.scop.contraction import FloatSum, NotAContraction
from s2s.scop.expressions import FLOAT32, Binary, Cast, Const, Expr, Let, Load
from s2s.scop.rewrite import substitute


def float_form(statement: AffineStore) -> Sum:
    """What a statement on floats stores. Raises NotAContraction."""
    value, limits = _unlimited(statement.value)
    value, scale = _unscaled(value)
    terms = [(sign, sum_of(term)) for sign, term in _chain(value)]
    if len(terms) == 2 and [s for s, _ in terms] == [1, 1] and _is_start(terms, statement):
        terms.reverse()
    first, rest = terms[0][1], terms[1:]
    start = Sum()
    if not _is_term(first, terms, statement):
        start, terms = first, rest
        if terms and start == Sum(constant=start.constant) and _is_nothing(start.constant):
            start = Sum()
        if start.products or len(start.loads) > 1:
            raise NotAContraction("a sum of floats starts with a sum")
    last = _last(start, terms) if not statement.reads_itself else None
    products = tuple(_product(sign, term) for sign, term in (terms[:-1] if last else terms))
    low, high = limits.get("max"), limits.get("min")
    return replace(start, products=products, scale=scale, low=low, high=high, last=last)


def _last(start: Sum, terms: list[tuple[int, Sum]]) -> Factor | None:
    """An element of another array that is added behind a sum; None where there is none."""
    if not terms or (len(terms) == 1 and not start.loads):
        return None
    sign, term = terms[-1]
    others = {f.tensor for _, t in terms[:-1] for f in (*t.loads, *(p.left for p in t.products))}
    if sign < 0 or term != Sum(loads=term.loads) or term.loads[0].tensor in others:
        return None
    return term.loads[0]


def _is_start(terms: list[tuple[int, Sum]], statement: AffineStore) -> bool:
    """Whether the second of two terms is what the first one is added to."""
    (_, first), (_, second) = terms
    if statement.reads_itself:
        return any(load.tensor == statement.tensor for load in second.loads)
    return any(p.right is not None for p in first.products) and bool(second.loads)


def _is_term(first: Sum, terms: list[tuple[int, Sum]], statement: AffineStore) -> bool:
    """Whether a chain begins with one of its terms, not with what is there before them."""
    if first.products or terms[0][0] < 0:
        return True
    if statement.reads_itself or not first.loads or len(terms) == 1:
        return False
    names = {f.tensor for _, t in terms[1:] for f in (*t.loads, *(p.left for p in t.products))}
    plain = all(p.right is None for _, term in terms[1:] for p in term.products)
    return plain and names == {first.loads[0].tensor}


def _product(sign: int, term: Sum) -> Product:
    """A term as a product; an element is one by 1, which is exact."""
    products = [*term.products, *(Product(load, None, literal=1.0) for load in term.loads)]
    if len(products) != 1 or not isinstance(term.constant, int):
        raise NotAContraction("a term of a sum of floats is neither an element nor a product")
    (found,) = products
    if found.right is not None and found.left.tensor == found.right.tensor:
        raise NotAContraction("a term of a sum of floats is a product of elements of one array")
    if sign > 0:
        return found
    if found.right is None:
        return replace(found, literal=-found.literal)
    return replace(found, negative=not found.negative)


def _unlimited(value: Expr) -> tuple[Expr, dict[str, float]]:
    """A value without limits around it, and these."""
    limits: dict[str, float] = {}
    while isinstance(value, Binary) and value.op in ("min", "max"):
        for inner, limit in ((value.left, value.right), (value.right, value.left)):
            number = _number(limit)
            if number is not None and value.op not in limits:
                limits[value.op] = number
                value = inner
                break
        else:
            return value, limits
        if set(limits) == {"min", "max"} and limits["max"] > limits["min"]:
            raise NotAContraction("a result is limited to no number")
    return value, limits


def _unscaled(value: Expr) -> tuple[Expr, float | None]:
    """A sum without the number by which it is multiplied, and that."""
    if isinstance(value, Binary) and value.op == "div":
        number = _number(value.right)
        if number and abs(frexp(number)[0]) == 0.5 and abs(number) <= 1 << 64:
            return value.left, 1 / number
    if isinstance(value, Binary) and value.op == "mul":
        for inner, factor in ((value.left, value.right), (value.right, value.left)):
            scale = _number(factor)
            if scale is not None and not isinstance(inner, Load):
                return inner, scale
    return value, None


def _number(value: Expr) -> float | None:
    if isinstance(value, Cast) and value.type == FLOAT32 and isinstance(value.value, Const):
        whole = float(value.value.value)
        return whole if abs(whole) <= 1 << 24 and whole == int(whole) else None
    if isinstance(value, Binary) and value.op == "sub":  # the sign of a literal
        first, number = _number(value.left), _number(value.right)
        return -number if number is not None and _is_nothing(first) else None
    return float(value.value) if isinstance(value, Const) and value.type == FLOAT32 else None


def _is_nothing(number: float | None) -> bool:
    """Whether a number changes nothing that it is added to: zero below zero."""
    return number == 0 and copysign(1, number) < 0


def _chain(value: Expr) -> list[tuple[int, Expr]]:
    """The terms in the order in which they are added, with signs."""
    if isinstance(value, Let):
        return _chain(substitute(value.body, {value.name: value.value}))
    if (number := _number(value)) is not None:
        return [(1, Const(FLOAT32, number))]
    if not isinstance(value, Binary) or value.op not in ("add", "sub"):
        return [(1, value)]
    left, right = _chain(value.left), _chain(value.right)
    sign = -1 if value.op == "sub" else 1
    if len(right) == 1:
        return [*left, (sign * right[0][0], right[0][1])]
    if len(left) == 1 and sign > 0 and right[0][0] > 0:
        return [*right, left[0]]
    raise NotAContraction("a sum of floats is added to another one, which rounds otherwise")


def order_of(value: Value, names: Mapping[str, str], backward: Container[str]) -> FloatSum:
    """How a sum of floats is made, in the contraction's names of loops."""
    extents = {r.name: r.extent for r in value.reductions}
    tapped = {name for tap in value.taps for name, _ in tap}
    order = tuple(
        (names[r.name], r.name in backward)
        for r in value.reductions
        if r.name in names and r.name not in tapped
    )
    taps = tuple(
        tuple(
            (names[name], extents[name] - 1 - at if name in backward else at)
            for name, at in tap
            if name in names
        )
        for tap in value.taps
    )
    adds_last = value.form.last is not None
    is_empty = isinstance(value.form.constant, int) and (adds_last or not value.loads)
    return FloatSum(order, taps, is_empty, value.form.scale, adds_last)
