"""What the ranges of loops decide: minima, maxima and comparisons of index arithmetic."""

from __future__ import annotations

from collections.abc import Mapping

from s2s.emitters.c.tensors.forms import Linear, linear, normalized
from s2s.scop.expressions import BOOL, INT32, Binary, Const, Expr, Variable, transform

Ranges = Mapping[str, tuple[int, int]]
"""The least and the greatest value of variables."""

ORDERED = ("lt", "le", "gt", "ge")


def bounds(form: Linear, ranges: Ranges) -> tuple[int, int] | None:
    """The least and greatest value of a sum; None where a term has no known range."""
    low = high = form.constant
    for atom, coefficient in form.terms:
        if not isinstance(atom, Variable) or atom.name not in ranges:
            return None
        ends = [coefficient * end for end in ranges[atom.name]]
        low, high = low + min(ends), high + max(ends)
    return low, high


def difference(node: Expr) -> Linear | None:
    """Left minus right of an INT32 minimum, maximum or comparison."""
    if not isinstance(node, Binary) or node.left.type != INT32:
        return None
    if node.op not in ("min", "max", *ORDERED):
        return None
    return linear(node.left).plus(linear(node.right), -1)


def decided(expr: Expr, ranges: Ranges) -> Expr:
    """The expression without the choices that the ranges make."""

    def decide(node: Expr) -> Expr:
        form = difference(node)
        found = None if form is None else bounds(form, ranges)
        return node if found is None else _choice(node, *found)

    return normalized(transform(normalized(expr), decide))


def _choice(node: Expr, low: int, high: int) -> Expr:
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
