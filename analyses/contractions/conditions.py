"""Conditions on one loop's variable: for which of its values they hold."""

from __future__ import annotations

from collections.abc import Mapping

from s2s.scop.expressions import Binary, Cast, Const, Expr, Load, Unary, Variable, walk


def all_of(condition: Expr) -> list[Expr]:
    """The conditions that have to hold together."""
    if isinstance(condition, Binary) and condition.op == "and":
        return [*all_of(condition.left), *all_of(condition.right)]
    return [condition]


def where(condition: Expr, name: str, values: range) -> list[int] | None:
    """The values of a loop's variable for which a condition on it alone holds."""
    if set(condition.variables) != {name} or any(isinstance(e, Load) for e in walk(condition)):
        return None
    found = [(value, _evaluated(condition, {name: value})) for value in values]
    if any(truth is None for _, truth in found):
        return None
    return [value for value, truth in found if truth]


def _evaluated(expr: Expr, values: Mapping[str, int]) -> int | None:
    """An integer expression's value; None for operations that it does not have to know."""
    match expr:
        case Const(_, value) if isinstance(value, int):
            return value
        case Variable(_, name):
            return values[name]
        case Cast(type_, value) if type_.is_integer:
            inner = _evaluated(value, values)
            return None if inner is None else type_.wrap(inner)
        case Unary(_, "not", value):
            inner = _evaluated(value, values)
            return None if inner is None else int(not inner)
        case Binary(type_, op, left, right):
            sides = _evaluated(left, values), _evaluated(right, values)
            if sides[0] is None or sides[1] is None:
                return None
            return _combined(op, sides[0], sides[1])
    return None


def _combined(op: str, left: int, right: int) -> int | None:
    match op:
        case "add":
            return left + right
        case "sub":
            return left - right
        case "mul":
            return left * right
        case "eq" | "ne":
            return int((left == right) == (op == "eq"))
        case "lt" | "ge":
            return int((left < right) == (op == "lt"))
        case "gt" | "le":
            return int((left > right) == (op == "gt"))
        case "and":
            return int(bool(left) and bool(right))
        case "or":
            return int(bool(left) or bool(right))
    return None
