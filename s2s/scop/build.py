"""Short names for typed expressions: literals are folded, nothing else is.

Operands have one type, which is the result's; an ``int`` stands for a literal of that type.
"""

from __future__ import annotations

from s2s.scop.expressions import BOOL, INT32, Binary, Call, Const, Expr, Select, Unary, Variable
from s2s.scop.literals import COMPARISONS, fold

TRUE = Const(BOOL, 1)
FALSE = Const(BOOL, 0)


def const(value: int) -> Expr:
    """An INT32 literal."""
    return Const(INT32, value)


def var(name: str) -> Expr:
    """An INT32 variable."""
    return Variable(INT32, name)


def add(a: Expr, b: Expr | int) -> Expr:
    """``a + b``."""
    b = _operand(a, b)
    return b if is_zero(a) else a if is_zero(b) else _folded("add", a, b)


def sub(a: Expr, b: Expr | int) -> Expr:
    """``a - b``."""
    b = _operand(a, b)
    return a if is_zero(b) else _folded("sub", a, b)


def neg(a: Expr) -> Expr:
    """``0 - a``, of INT32."""
    return sub(const(0), a)


def mul(a: Expr, b: Expr | int) -> Expr:
    """``a * b``."""
    b = _operand(a, b)
    return b if is_one(a) else a if is_one(b) else _folded("mul", a, b)


def div(a: Expr, b: Expr | int) -> Expr:
    """``a / b``, Euclid's."""
    b = _operand(a, b)
    return a if is_one(b) else _folded("div", a, b)


def mod(a: Expr, b: Expr | int) -> Expr:
    """``a % b``, never negative."""
    b = _operand(a, b)
    return const(0) if is_one(b) and a.type == INT32 else binary("mod", a, b)


def minimum(a: Expr, b: Expr | int) -> Expr:
    """The smaller of two values."""
    return binary("min", a, _operand(a, b))


def maximum(a: Expr, b: Expr | int) -> Expr:
    """The larger of two values."""
    return binary("max", a, _operand(a, b))


def le(a: Expr, b: Expr | int) -> Expr:
    """``a <= b``."""
    return binary("le", a, _operand(a, b))


def lt(a: Expr, b: Expr | int) -> Expr:
    """``a < b``."""
    return binary("lt", a, _operand(a, b))


def binary(op: str, a: Expr, b: Expr) -> Expr:
    """An operation by its name in ``expressions.OPERATORS``; nothing is folded."""
    return Binary(BOOL if op in COMPARISONS else a.type, op, a, b)


def both(a: Expr, b: Expr) -> Expr:
    """``a && b``, literals left out."""
    if a is TRUE or b is FALSE:
        return b
    return a if b is TRUE or a is FALSE else Binary(BOOL, "and", a, b)


def conjuncts(condition: Expr | None) -> list[Expr]:
    """The conditions that hold together where one holds, in their order."""
    if condition is None or (isinstance(condition, Const) and condition.value):
        return []
    if isinstance(condition, Binary) and condition.op == "and":
        return [*conjuncts(condition.left), *conjuncts(condition.right)]
    return [condition]


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


def call(name: str, *arguments: Expr) -> Expr:
    """A call whose value has the type of its first argument."""
    return Call(arguments[0].type, name, arguments)


def is_zero(value: Expr) -> bool:
    """Whether it is a literal 0 of an integer type (for floats, adding it may change a sign)."""
    return isinstance(value, Const) and value.type.is_integer and value.value == 0


def is_one(value: Expr) -> bool:
    """Whether it is a literal 1 of an integer type."""
    return isinstance(value, Const) and value.type.is_integer and value.value == 1


def _operand(a: Expr, b: Expr | int) -> Expr:
    return Const(a.type, b) if isinstance(b, int) else b


def _folded(op: str, a: Expr, b: Expr) -> Expr:
    """The operation, or the literal that it gives within the range of INT32."""
    made = Binary(a.type, op, a, b)
    return (fold(made) if a.type == INT32 else None) or made
