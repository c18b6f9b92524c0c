"""Index arithmetic in a normal form: sums of multiples of what is not itself a sum.

INT32 may be regrouped because its overflow is undefined; other types only have their constants
folded. The normal form is what makes unrolled copies short, lets two subscripts be subtracted, and
shows which multiple of a loop's variable an address moves by.
"""

from __future__ import annotations

from collections.abc import Mapping

from s2s.scop.expressions import (
    BOOL,
    INT32,
    Binary,
    Const,
    Expr,
)
from s2s.scop.linear import Linear, Sum, common, expression, of_expression
from s2s.scop.literals import COMPARISONS, decide
from s2s.scop.nest import Node
from s2s.scop.rewrite import inline_lets, replace_parts, substitute, transform, with_expressions


def linear(expr: Expr) -> Sum:
    """An INT32 expression, whose parts are in normal form, as a sum."""
    return of_expression(expr, linear)


def integer(value: int) -> Const:
    return Const(INT32, value)


_MOST_NORMAL = 1 << 18
_normal: dict[Expr, Expr] = {}


def normalized(expr: Expr) -> Expr:
    """The expression with constants folded and index arithmetic in normal form."""
    if len(_normal) > _MOST_NORMAL:
        _normal.clear()
    return transform(inline_lets(expr), _step, _normal)


def replaced(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """The normal form of an expression with variables replaced."""
    return normalized(substitute(expr, dict(values)))


def with_values(node: Node, values: Mapping[str, Expr]) -> Node:
    """A nest with variables replaced, in normal form."""
    return with_expressions(node, lambda expr: replaced(expr, values))


def with_parts(expr: Expr, known: Mapping[Expr, Expr]) -> Expr:
    """The normal form of an expression with the ``known`` parts replaced, outer ones first."""
    return normalized(replace_parts(expr, known))


def normal(node: Node) -> Node:
    """A nest in normal form, names for constants and variables put in."""
    return with_expressions(node, normalized)


def _step(node: Expr) -> Expr:
    decided = decide(node)
    return _regrouped(node) if decided is node and isinstance(node, Binary) else decided


def _regrouped(node: Binary) -> Expr:
    left, right = node.left, node.right
    if node.type == INT32 and node.op in ("add", "sub", "mul"):
        return expression(linear(node))
    if node.op in COMPARISONS and left.type == INT32:
        difference = linear(left).minus(linear(right)).number
        if difference is not None:
            return Const(BOOL, int(COMPARISONS[node.op](difference, 0)))
    if node.op in ("min", "max") and left.type == INT32:
        return _extreme(node)
    if node.op in ("div", "mod") and node.type == INT32 and isinstance(right, Const):
        return _quotient(node, int(right.value))
    return node


def _extreme(node: Binary) -> Expr:
    difference = linear(node.left).minus(linear(node.right))
    if difference.terms:
        return _without_common(node)
    return node.left if (difference.constant <= 0) == (node.op == "min") else node.right


def _without_common(node: Binary) -> Expr:
    """``min(a + b, a + c)`` as ``a + min(b, c)``."""
    sides = linear(node.left), linear(node.right)
    shared = common(sides)
    if not shared.terms:
        return node
    arms = [expression(side.minus(shared)) for side in sides]
    return expression(shared.plus(Linear.of(Binary(INT32, node.op, *arms))))


def _quotient(node: Binary, divisor: int) -> Expr:
    """What the divisor divides goes out of the quotient and vanishes in the remainder."""
    if divisor <= 0:
        return node
    whole, rest = linear(node.left).split(divisor)
    if not rest.terms:
        return expression(whole) if node.op == "div" else integer(rest.constant)
    part = Binary(INT32, node.op, expression(rest), node.right)
    return part if node.op == "mod" else expression(whole.plus(Linear.of(part)))
