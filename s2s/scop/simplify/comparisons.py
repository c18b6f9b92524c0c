"""Simplification of comparisons and of logic."""

from __future__ import annotations

from s2s.scop.build import FALSE, TRUE, negate
from s2s.scop.expressions import BOOL, INT32, Binary, Expr, Unary
from s2s.scop.linear import Linear, Sum
from s2s.scop.literals import OPPOSITE
from s2s.scop.simplify.rules import Simplify

_MIRRORED = {"gt": "lt", "ge": "le"}


def comparison(by: Simplify, node: Expr) -> Expr:
    """A comparison, or ``not`` of one: decided where the ranges allow it."""
    if isinstance(node, Unary):
        return _opposite(by, node)
    if not isinstance(node, Binary) or node.op not in OPPOSITE:
        return node
    op, left, right = node.op, node.left, node.right
    if op in _MIRRORED:
        op, left, right = _MIRRORED[op], right, left
    if not left.type.is_integer:
        return node
    if left is right:
        return TRUE if op in ("eq", "le") else FALSE
    if left.type != INT32 or left.reads or right.reads:
        return _by_range(by, op, left, right)
    form = by.linear(left).minus(by.linear(right))
    return _ordered(by, form, op) if op in ("lt", "le") else _equal(by, form, op)


def _opposite(by: Simplify, node: Unary) -> Expr:
    value = node.value
    if isinstance(value, Binary) and value.op in OPPOSITE and value.left.type.is_integer:
        return by(Binary(BOOL, OPPOSITE[value.op], value.left, value.right))
    if isinstance(value, Binary) and value.op in ("and", "or"):
        op = "or" if value.op == "and" else "and"
        return by(Binary(BOOL, op, negate(value.left), negate(value.right)))
    return node


def _by_range(by: Simplify, op: str, left: Expr, right: Expr) -> Expr:
    """Decided where the ranges of both sides do not meet; else as written, as ``<`` or ``<=``."""
    (a, b), (c, d) = by.bounds(left), by.bounds(right)
    if op in ("lt", "le"):
        strict = op == "lt"
        if b is not None and c is not None and (b < c or (b == c and not strict)):
            return TRUE
        if a is not None and d is not None and (a > d or (a == d and strict)):
            return FALSE
    elif (b is not None and c is not None and b < c) or (a is not None and d is not None and a > d):
        return FALSE if op == "eq" else TRUE
    return Binary(BOOL, op, left, right)


def _ordered(by: Simplify, form: Sum, op: str) -> Expr:
    """``form < 0`` or ``form <= 0``."""
    if op == "lt":
        form = form.shifted(1)
    low, high = by.bounds_of_sum(form)
    if high is not None and high <= 0:
        return TRUE
    if low is not None and low > 0:
        return FALSE
    size = form.content
    terms = {t: c // size for t, c in form.terms.items()}
    return _sides(by, Linear(terms, -(-form.constant // size)))


def _sides(by: Simplify, form: Sum) -> Expr:
    """``form <= 0`` with added terms to the left, subtracted ones to the right."""
    left = Linear({t: c for t, c in form.terms.items() if c > 0})
    right = Linear({t: -c for t, c in form.terms.items() if c < 0}, -form.constant)
    op = "le"
    if not left.terms:
        left, right = Linear({}, -right.constant), right.shifted(-right.constant)
        if left.constant == 1:
            op, left = "lt", Linear()
    elif right.constant == -1 and right.terms:
        op, right = "lt", right.shifted(1)
    return Binary(BOOL, op, by.build(left), by.build(right))


def _equal(by: Simplify, form: Sum, op: str) -> Expr:
    low, high = by.bounds_of_sum(form)
    if low == 0 == high:
        return TRUE if op == "eq" else FALSE
    apart = (low is not None and low > 0) or (high is not None and high < 0)
    size = form.content
    if apart or (size and form.constant % size):
        return FALSE if op == "eq" else TRUE
    form = Linear({t: c // size for t, c in form.terms.items()}, form.constant // size)
    first = min(form.terms, key=by.place)
    if form.terms[first] < 0:
        form = form.scaled(-1)
    left = Linear({t: c for t, c in form.terms.items() if c > 0})
    right = Linear({t: -c for t, c in form.terms.items() if c < 0}, -form.constant)
    return Binary(BOOL, op, by.build(left), by.build(right))


def logic(by: Simplify, node: Binary) -> Expr:
    """``and`` and ``or``: literals, repetitions and contradictions."""
    nothing, decided = (TRUE, FALSE) if node.op == "and" else (FALSE, TRUE)
    parts: dict[Expr, None] = {}
    waiting = [node.right, node.left]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Binary) and part.op == node.op:
            waiting += [part.right, part.left]
        elif part is decided or by(negate(part)) in parts:
            return decided
        elif part is not nothing:
            parts.setdefault(part)
    kept = [part for part in parts if not _implied(by, part, parts, node.op)]
    if not kept:
        return nothing
    result = kept[0]
    for part in kept[1:]:
        result = Binary(BOOL, node.op, result, part)
    return result


def _implied(by: Simplify, part: Expr, parts: dict[Expr, None], op: str) -> bool:
    """Whether another bound of the same difference says more (``and``) or less (``or``)."""
    mine = _bound(by, part)
    if mine is None:
        return False
    for other in parts:
        theirs = _bound(by, other)
        if other is part or theirs is None or theirs.terms != mine.terms:
            continue
        stronger = theirs.constant > mine.constant
        if stronger == (op == "and") and theirs.constant != mine.constant:
            return True
    return False


def _bound(by: Simplify, part: Expr) -> Sum | None:
    """The sum that a comparison says is at most 0."""
    if not isinstance(part, Binary) or part.op not in ("lt", "le") or part.reads:
        return None
    if part.left.type != INT32:
        return None
    form = by.linear(part.left).minus(by.linear(part.right))
    return form.shifted(1) if part.op == "lt" else form
