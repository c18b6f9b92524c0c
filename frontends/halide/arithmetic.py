"""Short builders of INT32 and truth expressions; constants are folded, nothing else is."""

from __future__ import annotations

from s2s.scop.expressions import BOOL, INT32, Binary, Call, Const, Expr, Select, Variable


def int_var(name: str) -> Expr:
    return Variable(INT32, name)


def const(value: int) -> Expr:
    return Const(INT32, value)


def add(left: Expr, right: Expr) -> Expr:
    if isinstance(left, Const) and isinstance(right, Const):
        return const(int(left.value + right.value))
    if is_zero(right):
        return left
    return right if is_zero(left) else Binary(INT32, "add", left, right)


def sub(left: Expr, right: Expr) -> Expr:
    if isinstance(left, Const) and isinstance(right, Const):
        return const(int(left.value - right.value))
    return left if is_zero(right) else Binary(INT32, "sub", left, right)


def neg(value: Expr) -> Expr:
    return sub(const(0), value)


def mul(left: Expr, right: Expr) -> Expr:
    if isinstance(left, Const) and isinstance(right, Const):
        return const(int(left.value * right.value))
    if is_one(right):
        return left
    return right if is_one(left) else Binary(INT32, "mul", left, right)


def div(left: Expr, right: Expr) -> Expr:
    if isinstance(left, Const) and isinstance(right, Const) and right.value > 0:
        return const(int(left.value // right.value))
    return left if is_one(right) else Binary(INT32, "div", left, right)


def mod(left: Expr, right: Expr) -> Expr:
    return const(0) if is_one(right) else Binary(INT32, "mod", left, right)


def smaller(left: Expr, right: Expr) -> Expr:
    return Binary(INT32, "min", left, right)


def larger(left: Expr, right: Expr) -> Expr:
    return Binary(INT32, "max", left, right)


def le(left: Expr, right: Expr) -> Expr:
    return Binary(BOOL, "le", left, right)


def both(left: Expr, right: Expr) -> Expr:
    return Binary(BOOL, "and", left, right)


def select(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    return Select(then.type, condition, then, otherwise)


def call(name: str, *arguments: Expr) -> Expr:
    """A call whose value has the type of its first argument."""
    return Call(arguments[0].type, name, arguments)


def is_zero(value: Expr) -> bool:
    return isinstance(value, Const) and value.value == 0


def is_one(value: Expr) -> bool:
    return isinstance(value, Const) and value.value == 1
