"""C's integer types and operators as typed expressions."""

from __future__ import annotations

from collections.abc import Mapping

from s2s.frontends.c.syntax import CType
from s2s.frontends.c.typed.choices import chosen
from s2s.scop.expressions import BOOL, INT32, Binary, Const, Expr, Type, Unary, Variable
from s2s.scop.literals import COMPARISONS, cast, fit, fold
from s2s.scop.simplify.ranges import UNKNOWN, Range, of_operation

INT = INT32
LONG = Type("int", 64)
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


def binary(op: str, left: Expr, right: Expr) -> Expr:
    """An operation on two values of one type; of literals at once, where nothing overflows."""
    made = Binary(left.type, op, left, right)
    value = _folded(made) if left.type.is_integer else None
    if value is not None:
        return value
    if op in ("add", "sub") and isinstance(right, Const) and right.value == 0:
        return left
    if op == "add" and isinstance(left, Const) and left.value == 0:
        return right
    return made


def compare(op: str, left: Expr, right: Expr) -> Expr:
    """A comparison of two values of one type."""
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(BOOL, int(COMPARISONS[op](left.value, right.value)))
    return Binary(BOOL, op, left, right)


def opposite(value: Expr) -> Expr:
    """Whether a truth value does not hold."""
    if isinstance(value, Const):
        return Const(BOOL, int(not value.value))
    return Unary(BOOL, "not", value)


def magnitude(value: Expr) -> Expr:
    """A signed integer without its sign; that of the smallest one is undefined in C."""
    zero = Const(value.type, 0)
    return chosen(compare("lt", value, zero), binary("sub", zero, value), value)


def rounded_to_zero(found: Binary, least: int) -> Expr:
    """A quotient or remainder of signed numbers as C has it, by a positive number.

    ``least`` is the smallest value of the dividend. The operation is done on magnitudes, where
    rounding down and to zero is one thing, and gets the dividend's sign; that of the smallest
    number of a type is one of the unsigned type alone.
    """
    type_, dividend = found.type, found.left
    zero = Const(type_, 0)
    negative = compare("lt", dividend, zero)
    if least > type_.smallest:
        positive = binary(found.op, magnitude(dividend), found.right)
    else:
        wide = Type("uint", type_.bits)
        bits = cast(wide, dividend)
        size = chosen(negative, binary("sub", Const(wide, 0), bits), bits)
        positive = cast(type_, binary(found.op, size, cast(wide, found.right)))
    return chosen(negative, binary("sub", zero, positive), positive)


def _folded(node: Binary) -> Expr | None:
    """The value of an operation on literals; None where C leaves it open or it is unknown here."""
    if not (isinstance(node.left, Const) and isinstance(node.right, Const)):
        return None
    left, right = int(node.left.value), int(node.right.value)
    if node.op in ("div", "mod"):  # C's quotients are cut towards zero
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return fit(node.type, quotient if node.op == "div" else left - quotient * right)
    return None if node.op == "shl" and left < 0 else fold(node)


def range_of(value: Expr, ranges: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """The least and the greatest value of an integer expression, as far as they are known."""
    whole = value.type.smallest, value.type.largest

    def bounds(part: Expr) -> Range:
        return range_of(part, ranges) if part.type.is_integer else UNKNOWN

    found: Range = UNKNOWN
    match value:
        case Const(_, int(number)):
            found = number, number
        case Variable(_, name):
            found = ranges.get(name, UNKNOWN)
        case Binary(_, "div" | "mod" | "shr" | "band" as op, left, right) if left.type.is_integer:
            found = _part(op, range_of(left, ranges), range_of(right, ranges))
        case _:
            found = of_operation(value, bounds)
    low, high = found
    if low is None or high is None or low < whole[0] or high > whole[1]:
        return whole
    return low, high


def _part(op: str, left: tuple[int, int], right: tuple[int, int]) -> Range:
    """The ends of what is left of a value that is not negative."""
    if left[0] < 0 or right[0] < 0 or (op in ("div", "mod") and right[0] == 0):
        return UNKNOWN
    match op:
        case "div":
            return left[0] // right[1], left[1] // right[0]
        case "mod":
            return 0, min(left[1], right[1] - 1)
        case "shr":
            return left[0] >> right[1], left[1] >> right[0]
    return 0, min(left[1], right[1])
