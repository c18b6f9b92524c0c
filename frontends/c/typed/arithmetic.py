"""C's integer types and operators as typed expressions."""

from __future__ import annotations

from collections.abc import Mapping

from s2s.frontends.c.syntax import CType
from s2s.scop.expressions import BOOL, INT32, Binary, Cast, Const, Expr, Type, Unary, Variable

INT = INT32
_FLOATS = {4: Type("float", 32), 8: Type("float", 64), 2: Type("float", 16)}


def type_of(type_: CType) -> Type | None:
    """The type of an arithmetic C type; None for others."""
    if type_.kind == "int" and type_.size in (1, 2, 4, 8):
        if type_.canonical.removeprefix("const ") in ("_Bool", "bool"):
            return None
        return Type("int" if type_.signed else "uint", 8 * type_.size)
    if type_.kind == "float":
        return _FLOATS.get(type_.size)
    return None


def common(left: Type, right: Type) -> Type:
    """The usual arithmetic conversions (C11 6.3.1.8) of two types."""
    if left.is_float or right.is_float:
        floats = [t for t in (left, right) if t.is_float]
        return max(floats, key=lambda t: t.bits)
    left, right = promoted(left), promoted(right)
    if left.bits != right.bits:
        return max(left, right, key=lambda t: t.bits)
    return left if left.code == "uint" else right


def promoted(type_: Type) -> Type:
    """The integer promotions."""
    return INT if type_.is_integer and type_.bits < 32 else type_


def cast(type_: Type, value: Expr) -> Expr:
    """A conversion; of a literal at once."""
    if value.type == type_:
        return value
    if isinstance(value, Const) and isinstance(value.value, int) and type_.is_integer:
        return Const(type_, type_.wrap(value.value))
    return Cast(type_, value)


def binary(op: str, left: Expr, right: Expr) -> Expr:
    """An operation on two values of one type; of literals at once, where nothing overflows."""
    type_ = left.type
    if isinstance(left, Const) and isinstance(right, Const) and type_.is_integer:
        value = _folded(op, int(left.value), int(right.value), type_)
        if value is not None:
            return Const(type_, value)
    if op in ("add", "sub") and isinstance(right, Const) and right.value == 0:
        return left
    if op == "add" and isinstance(left, Const) and left.value == 0:
        return right
    return Binary(type_, op, left, right)


def compare(op: str, left: Expr, right: Expr) -> Expr:
    """A comparison of two values of one type."""
    if isinstance(left, Const) and isinstance(right, Const):
        first, second = left.value, right.value
        results = {
            "eq": first == second, "ne": first != second, "lt": first < second,
            "le": first <= second, "gt": first > second, "ge": first >= second,
        }  # fmt: skip
        return Const(BOOL, int(results[op]))
    return Binary(BOOL, op, left, right)


def both(left: Expr, right: Expr) -> Expr:
    """Whether two truth values hold."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Const):
            return other if one.value else one
    return Binary(BOOL, "and", left, right)


def either(left: Expr, right: Expr) -> Expr:
    """Whether one of two truth values holds."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Const):
            return one if one.value else other
    return Binary(BOOL, "or", left, right)


def opposite(value: Expr) -> Expr:
    """Whether a truth value does not hold."""
    if isinstance(value, Const):
        return Const(BOOL, int(not value.value))
    return Unary(BOOL, "not", value)


def _folded(op: str, left: int, right: int, type_: Type) -> int | None:
    """The value of an operation on literals; None where C leaves it open or it is unknown here."""
    match op:
        case "add":
            value = left + right
        case "sub":
            value = left - right
        case "mul":
            value = left * right
        case "shl" if 0 <= right < type_.bits and left >= 0:
            value = left << right
        case "shr" if 0 <= right < type_.bits:
            value = left >> right
        case "div" | "mod" if right != 0:
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            value = quotient if op == "div" else left - quotient * right
        case _:
            return None
    if type_.smallest <= value <= type_.largest:
        return value
    return type_.wrap(value) if type_.code == "uint" else None


def range_of(value: Expr, ranges: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """The least and the greatest value of an integer expression, as far as they are known."""
    whole = value.type.smallest, value.type.largest
    found: tuple[int, int] | None = None
    match value:
        case Const(_, number) if isinstance(number, int):
            found = number, number
        case Variable(_, name):
            found = ranges.get(name)
        case Cast(_, inner) if inner.type.is_integer:
            found = range_of(inner, ranges)
        case Binary(_, op, left, right) if left.type.is_integer:
            found = _ends(op, range_of(left, ranges), range_of(right, ranges))
    if found is None or found[0] < whole[0] or found[1] > whole[1]:
        return whole
    return found


def _ends(op: str, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int] | None:
    """The ends of a sum, a product, or a division by what is positive."""
    corners = [(a, b) for a in left for b in right]
    match op:
        case "add":
            return left[0] + right[0], left[1] + right[1]
        case "sub":
            return left[0] - right[1], left[1] - right[0]
        case "min":
            return min(left[0], right[0]), min(left[1], right[1])
        case "max":
            return max(left[0], right[0]), max(left[1], right[1])
        case "mul":
            products = [a * b for a, b in corners]
            return min(products), max(products)
        case "div" if left[0] >= 0 and right[0] > 0:
            return left[0] // right[1], left[1] // right[0]
        case "mod" if left[0] >= 0 and right[0] > 0:
            return 0, min(left[1], right[1] - 1)
        case "shr" if left[0] >= 0 and right[0] >= 0:
            return left[0] >> right[1], left[1] >> right[0]
        case "band" if left[0] >= 0 and right[0] >= 0:
            return 0, min(left[1], right[1])
    return None
