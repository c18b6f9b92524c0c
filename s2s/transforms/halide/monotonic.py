"""How expressions change from one iteration of a loop to the next."""

from __future__ import annotations

from s2s.scop.expressions import Binary, Call, Cast, Const, Expr, Select, Variable
from s2s.scop.simplify.ranges import UNKNOWN, Range, plus, times, union

STILL: Range = (0, 0)


def slope(expr: Expr, name: str) -> Range:
    """By how much an integer expression grows, least and most, when a variable grows by one."""
    if name not in expr.variables:
        return STILL
    match expr:
        case Variable():
            return 1, 1
        case Binary(op="add"):
            return plus(slope(expr.left, name), slope(expr.right, name))
        case Binary(op="sub"):
            return plus(slope(expr.left, name), times(slope(expr.right, name), -1))
        case Binary(op="mul"):
            return _of_product(expr, name)
        case Binary(op="div", right=Const(value=int(by))) if by > 0:
            low, high = slope(expr.left, name)
            return None if low is None else low // by, None if high is None else -(-high // by)
        case Binary(op="min" | "max"):
            return union(slope(expr.left, name), slope(expr.right, name))
        case Select() if name not in expr.condition.variables:
            return union(slope(expr.then, name), slope(expr.otherwise, name))
        case Cast() if expr.type.bits >= expr.value.type.bits and not expr.type.wraps:
            return slope(expr.value, name)
        case Call(name="likely" | "likely_if_innermost" | "promise_clamped"):
            return slope(expr.arguments[0], name)
    return UNKNOWN


def _of_product(expr: Binary, name: str) -> Range:
    for factor, other in ((expr.left, expr.right), (expr.right, expr.left)):
        if isinstance(factor, Const):
            return times(slope(other, name), int(factor.value))
    return UNKNOWN


def increasing(expr: Expr, name: str) -> bool:
    """Whether an expression never gets smaller as the variable grows."""
    low, _ = slope(expr, name)
    return low is not None and low >= 0


def decreasing(expr: Expr, name: str) -> bool:
    """Whether an expression never gets larger as the variable grows."""
    _, high = slope(expr, name)
    return high is not None and high <= 0


def constant(expr: Expr, name: str) -> bool:
    """Whether an expression does not depend on the variable."""
    return slope(expr, name) == STILL
