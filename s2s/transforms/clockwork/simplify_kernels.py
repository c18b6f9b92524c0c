"""Values of operations with fewer of the array's instructions, equal in every bit.

::

    sum + -1*a + 0*b + 1*c     ->     sum - a + c

Weights of a kernel become literals by extraction; those of 0, 1 and -1 need no multiplier. Only
types whose arithmetic wraps are changed: there ``sum + -1*a`` and ``sum - a`` are one value.
"""

from __future__ import annotations

from s2s.scop.expressions import Binary, Const, Expr, Type
from s2s.scop.nest import Node
from s2s.scop.rewrite import map_expressions, transform


def simplify_kernels(body: Node) -> Node:
    """The body of an accelerator with simplified values."""
    done: dict[Expr, Expr] = {}
    return map_expressions(body, lambda e: transform(e, _simplified, done))


def _simplified(node: Expr) -> Expr:
    if not (isinstance(node, Binary) and node.type.wraps):
        return node
    match node:
        case Binary(_, "mul", left, right):
            return _product(node, left, right)
        case Binary(kind, "add", left, right):
            return _sum(kind, left, right) or node
        case Binary(_, "sub", left, right) if _is(right, 0):
            return left
    return node


def _product(node: Expr, left: Expr, right: Expr) -> Expr:
    for factor, other in ((left, right), (right, left)):
        if _is(factor, 0):
            return factor
        if _is(factor, 1):
            return other
    return node


def _sum(kind: Type, left: Expr, right: Expr) -> Expr | None:
    """A sum that is shorter; None where there is none."""
    for term, other in ((left, right), (right, left)):
        if _is(term, 0):
            return other
    for term, other in ((right, left), (left, right)):
        match term:
            case Binary(_, "mul", factor, value) if _is(factor, -1):
                return Binary(kind, "sub", other, value)
            case Binary(_, "mul", value, factor) if _is(factor, -1):
                return Binary(kind, "sub", other, value)
    return None


def _is(node: Expr, value: int) -> bool:
    """Whether a node is a literal, with all values of one pattern of bits taken as one."""
    return isinstance(node, Const) and node.value == node.type.wrap(value)
