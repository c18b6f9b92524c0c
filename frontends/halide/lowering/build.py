"""Short names for the INT32 and BOOL expressions that lowering makes."""

from __future__ import annotations

from s2s.scop.expressions import BOOL, INT32, Binary, Const, Expr, Select, Unary, Variable


def const(value: int) -> Expr:
    """An INT32 literal."""
    return Const(INT32, value)


TRUE = Const(BOOL, 1)
FALSE = Const(BOOL, 0)


def var(name: str) -> Expr:
    """An INT32 variable."""
    return Variable(INT32, name)


def add(a: Expr, b: Expr | int) -> Expr:
    """``a + b``."""
    return _binary("add", a, b)


def sub(a: Expr, b: Expr | int) -> Expr:
    """``a - b``."""
    return _binary("sub", a, b)


def mul(a: Expr, b: Expr | int) -> Expr:
    """``a * b``."""
    return _binary("mul", a, b)


def div(a: Expr, b: Expr | int) -> Expr:
    """``a / b``, Euclid's."""
    return _binary("div", a, b)


def mod(a: Expr, b: Expr | int) -> Expr:
    """``a % b``, never negative."""
    return _binary("mod", a, b)


def minimum(a: Expr, b: Expr | int) -> Expr:
    """The smaller of two values."""
    return _binary("min", a, b)


def maximum(a: Expr, b: Expr | int) -> Expr:
    """The larger of two values."""
    return _binary("max", a, b)


def le(a: Expr, b: Expr | int) -> Expr:
    """``a <= b``."""
    return compare("le", a, b)


def lt(a: Expr, b: Expr | int) -> Expr:
    """``a < b``."""
    return compare("lt", a, b)


def compare(op: str, a: Expr, b: Expr | int) -> Expr:
    """A comparison by its name in ``expressions.OPERATORS``."""
    return Binary(BOOL, op, a, _operand(a, b))


def both(a: Expr, b: Expr) -> Expr:
    """``a && b``, literals left out."""
    if a is TRUE or b is FALSE:
        return b
    return a if b is TRUE or a is FALSE else Binary(BOOL, "and", a, b)


def either(a: Expr, b: Expr) -> Expr:
    """``a || b``, literals left out."""
    if a is FALSE or b is TRUE:
        return b
    return a if b is FALSE or a is TRUE else Binary(BOOL, "or", a, b)


def negate(a: Expr) -> Expr:
    """``!a``, literals and double negation left out."""
    if a is TRUE or a is FALSE:
        return FALSE if a is TRUE else TRUE
    if isinstance(a, Unary) and a.op == "not":
        return a.value
    return Unary(BOOL, "not", a)


def select(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """``condition ? then : otherwise``."""
    if condition is TRUE or then is otherwise:
        return then
    return otherwise if condition is FALSE else Select(then.type, condition, then, otherwise)


def _operand(a: Expr, b: Expr | int) -> Expr:
    return Const(a.type, b) if isinstance(b, int) else b


def _binary(op: str, a: Expr, b: Expr | int) -> Expr:
    return Binary(a.type, op, a, _operand(a, b))
