"""What the ranges of loops decide: minima, maxima and comparisons of index arithmetic."""

from __future__ import annotations

from collections.abc import Mapping

from s2s.scop.expressions import BOOL, INT32, Binary, Const, Expr, Variable
from s2s.scop.linear import Sum
from s2s.scop.normal_form import linear, normalized
from s2s.scop.rewrite import transform
from s2s.scop.simplify.ranges import UNKNOWN, Range, of_operation, of_type

Ranges = Mapping[str, tuple[int, int]]
"""The least and the greatest value of variables."""

ORDERED = ("lt", "le", "gt", "ge")


def bounds(form: Sum, ranges: Ranges) -> tuple[int, int] | None:
    """The least and greatest value of a sum; None where a term has no known range."""
    known: dict[Expr, tuple[int, int]] = {}
    for atom in form.terms:
        low, high = _of_atom(atom, ranges)
        if low is None or high is None:
            return None
        known[atom] = low, high
    return form.bounds(known)


def _of_atom(atom: Expr, ranges: Ranges) -> Range:
    """The range of what is no sum."""

    def operand(part: Expr) -> Range:
        # Other types may wrap: what they compute is no sum.
        return (
            (bounds(linear(part), ranges) or UNKNOWN)
            if part.type == INT32
            else _of_atom(part, ranges)
        )

    match atom:
        case Const(_, int(value)):
            return value, value
        case Variable(_, name):
            return ranges.get(name, of_type(atom.type))
    return of_operation(atom, operand)


def difference(node: Expr) -> Sum | None:
    """Left minus right of an INT32 minimum, maximum or comparison."""
    if not isinstance(node, Binary) or node.left.type != INT32:
        return None
    if node.op not in ("min", "max", *ORDERED):
        return None
    return linear(node.left).minus(linear(node.right))


def decide_choices(expr: Expr, ranges: Ranges) -> Expr:
    """The expression without the choices that the ranges make."""

    def decide(node: Expr) -> Expr:
        form = difference(node)
        found = None if form is None else bounds(form, ranges)
        return node if found is None else chosen(node, *found)

    return normalized(transform(normalized(expr), decide))


def chosen(node: Expr, low: int, high: int) -> Expr:
    """A node whose left side minus its right side lies from ``low`` to ``high``."""
    assert isinstance(node, Binary)
    match node.op:
        case "min" | "max":
            if high <= 0:
                return node.left if node.op == "min" else node.right
            if low >= 0:
                return node.right if node.op == "min" else node.left
        case "lt" | "ge":
            if high < 0 or low >= 0:
                return Const(BOOL, int((high < 0) == (node.op == "lt")))
        case "le" | "gt":
            if high <= 0 or low > 0:
                return Const(BOOL, int((high <= 0) == (node.op == "le")))
    return node
