"""What operations on literals give: integers as Halide documents them, comparisons of any type."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from s2s.scop.expressions import BOOL, Binary, Call, Cast, Const, Expr, Select, Type, Unary

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}

OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}
"""What holds where a comparison of integers does not."""


def divide(value: int, by: int) -> int:
    """Halide's integer division: the remainder is never negative, by zero gives zero."""
    if by == 0:
        return 0
    return value // by if by > 0 else -(value // -by)


def remainder(value: int, by: int) -> int:
    """Halide's integer modulo: never negative, by zero gives zero."""
    return value % abs(by) if by else 0


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": divide,
    "mod": remainder,
    "min": min,
    "max": max,
    "band": operator.and_,
    "and": operator.and_,
    "bor": operator.or_,
    "or": operator.or_,
    "bxor": operator.xor,
    "shl": operator.lshift,
    "shr": operator.rshift,
    **COMPARISONS,
}


def fold(node: Binary) -> Const | None:
    """The literal that an operation of two integer literals is; None where it would overflow."""
    left, right = node.left, node.right
    if not (isinstance(left, Const) and isinstance(right, Const)):
        return None
    if not (left.type.is_integer and right.type.is_integer) or node.op not in _OPERATIONS:
        return None
    a, b = int(left.value), int(right.value)
    if node.op in ("shl", "shr") and not 0 <= b < left.type.bits:
        return None
    return fit(node.type, int(_OPERATIONS[node.op](a, b)))


def fit(type: Type, value: int) -> Const | None:
    """An integer as a literal: wrapped where the type does, None where it overflows."""
    if type == BOOL:
        return Const(BOOL, int(value != 0))
    if type.wraps:
        return Const(type, type.wrap(value))
    return Const(type, value) if type.smallest <= value <= type.largest else None


def cast(type: Type, value: Expr) -> Expr:
    """A conversion; of an integer literal to an integer at once."""
    if value.type == type:
        return value
    if isinstance(value, Const) and value.type.is_integer and type.is_integer:
        number = int(value.value)
        return Const(type, int(number != 0) if type == BOOL else type.wrap(number))
    return Cast(type, value)


def decide(node: Expr) -> Expr:
    """The node, or what it is whatever its parts that are no literals are."""
    match node:
        case Binary(_, "and" | "or" as op, left, right):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Const):
                    return other if bool(one.value) == (op == "and") else one
            return left if left is right else node
        case Binary():
            return fold(node) or node
        case Cast(type, value):
            made = cast(type, value)
            return node if isinstance(made, Cast) else made
        case Select(_, Const(_, condition), then, otherwise):
            return then if condition else otherwise
        case Select(_, _, then, otherwise) if then is otherwise:
            return then
        case Unary(_, "not", Const(_, value)):
            return Const(BOOL, int(not value))
        case Call(_, "likely" | "likely_if_innermost", (value,)):
            return value
    return node
