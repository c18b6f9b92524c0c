"""How Halide types expressions: literals, operators, casts.

These functions make ``s2s.scop.expressions`` trees as Halide's C++ interface does when a program
is built. Operands of different types are brought to one by Halide's rules, which are not C's:
nothing is promoted to int, a C++ ``int`` takes the type of the expression that it meets, and
float wins over integers of any size. What Halide's ``user_assert`` refuses raises ``Illegal``
without a place.
"""

from __future__ import annotations

import math
import struct

from s2s.scop.errors import Illegal
from s2s.scop.expressions import (
    BOOL,
    INT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Select,
    Type,
    Unary,
    Variable,
)
from s2s.scop.literals import COMPARISONS

_NAMES = {
    "add": "operator+",
    "sub": "operator-",
    "mul": "operator*",
    "div": "operator/",
    "mod": "operator%",
    "eq": "operator==",
    "ne": "operator!=",
    "lt": "operator<",
    "le": "operator<=",
    "gt": "operator>",
    "ge": "operator>=",
    "and": "operator&&",
    "or": "operator||",
}
_BITWISE = {"band": "bitwise and", "bor": "bitwise or", "bxor": "bitwise xor"}
_BOOLEAN = {"band": "and", "bor": "or", "bxor": "ne"}


def const(type_: Type, value: int | float) -> Const:
    """A literal: wrapped, truncated or rounded to what the type can hold."""
    if type_.is_integer:
        if isinstance(value, float):
            value = int(value) if math.isfinite(value) else 0
        if type_ == BOOL:
            return Const(BOOL, int(value != 0))
        return Const(type_, type_.wrap(int(value)))
    return Const(type_, rounded(type_, float(value)))


def rounded(type_: Type, value: float) -> float:
    """A float as the nearest one of a float type."""
    if type_.bits == 64 or not math.isfinite(value):
        return value
    if type_.code == "bfloat":
        return _bfloat(value)
    try:
        code = "<e" if type_.bits == 16 else "<f"
        return float(struct.unpack(code, struct.pack(code, value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _bfloat(value: float) -> float:
    (bits,) = struct.unpack("<I", struct.pack("<f", rounded(Type("float", 32), value)))
    bits += 0x7FFF + ((bits >> 16) & 1)
    return float(struct.unpack("<f", struct.pack("<I", bits & 0xFFFF0000))[0])


def const_like(type_: Type, value: int) -> Const:
    """The literal that a C++ int becomes next to an expression of a type."""
    if type_.is_integer and not type_.smallest <= value <= type_.largest:
        raise Illegal(
            f"integer constant {value} will be implicitly coerced to type {type_}, "
            f"which changes its value to {const(type_, value).value}"
        )
    return const(type_, value)


def defined(name: str, *operands: Expr | None) -> None:
    """Refuse operands that are no values yet."""
    if any(not isinstance(o, Expr) for o in operands):
        raise Illegal(f"{name} of undefined Expr")


def is_const_int(expr: Expr) -> bool:
    """Whether an expression is a literal of a signed integer type."""
    return isinstance(expr, Const) and expr.type.code == "int"


def cast(type_: Type, value: Expr) -> Expr:
    """Conversion; of a literal, it is a literal."""
    defined("cast", value)
    if value.type == type_:
        return value
    if "handle" in (type_.code, value.type.code):
        raise Illegal(f"cannot cast {value.type} to {type_}")
    if isinstance(value, Const):
        return const(type_, value.value)
    return Cast(type_, value)


def match_types(left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """Two operands brought to one type."""
    one, other = left.type, right.type
    if one == other:
        return left, right
    common = common_type(one, other)
    return cast(common, left), cast(common, right)


def common_type(one: Type, other: Type) -> Type:
    """The type of an operation on two different types."""
    if "handle" in (one.code, other.code):
        raise Illegal("can't do arithmetic on opaque pointer types")
    if one.is_float != other.is_float:
        return one if one.is_float else other
    if one.is_float or one.code == other.code:
        return one if one.bits > other.bits else other
    return Type("int", max(one.bits, other.bits))


def match_bits(left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """Two operands brought to one width; each keeps its signedness."""
    if left.type.bits < right.type.bits:
        return cast(_widened(left.type, right.type.bits), left), right
    if right.type.bits < left.type.bits:
        return left, cast(_widened(right.type, left.type.bits), right)
    return left, right


def _widened(type_: Type, bits: int) -> Type:
    return Type("float" if type_.code == "bfloat" else type_.code, bits)


Operand = Expr | int | bool


def binary(op: str, left: Operand, right: Operand) -> Expr:
    """An operator on two expressions, or an expression and a C++ int (bool for && and ||)."""
    name = _NAMES.get(op, op)
    if isinstance(left, Expr) and isinstance(right, Expr):
        if op in _BITWISE:
            return _bitwise(op, left, right)
        if op in ("shl", "shr"):
            return _shifted(op, left, right)
        return _made(op, *match_types(left, right))
    if op in ("and", "or"):
        return _logic(op, left, right)
    if op in ("shl", "shr"):
        return _shift_by_int(op, left, right)
    if isinstance(left, Expr):
        defined(name, left)
        assert isinstance(right, int)
        return _made(_boolean(op, left.type), left, const_like(left.type, right))
    if isinstance(right, Expr) and isinstance(left, int):
        return _made(_boolean(op, right.type), const_like(right.type, left), right)
    raise Illegal(f"{name} of undefined Expr")


def _made(op: str, left: Expr, right: Expr) -> Expr:
    if op in ("and", "or") and left.type != BOOL:
        raise Illegal(f"{_NAMES[op]} of Expr of type {left.type}; legal is bool")
    if op in COMPARISONS or op in ("and", "or"):
        return Binary(BOOL, op, left, right)
    return Binary(left.type, op, left, right)


def _boolean(op: str, type_: Type) -> str:
    """Bitwise operators on truth values are logic."""
    return _BOOLEAN[op] if op in _BITWISE and type_ == BOOL else op


def _bitwise(op: str, left: Expr, right: Expr) -> Expr:
    name = _BITWISE[op]
    for place, operand in (("first", left), ("second", right)):
        if not operand.type.is_integer:
            raise Illegal(f"the {place} argument to {name} must be an integer, not {operand.type}")
    if left.type.code != right.type.code:
        raise Illegal(
            f"arguments to {name} must both be signed or both be unsigned, "
            f"not {left.type} and {right.type}"
        )
    left, right = match_bits(left, right)
    return _made(_boolean(op, left.type), left, right)


def _logic(op: str, left: Operand, right: Operand) -> Expr:
    expr, value = (left, right) if isinstance(left, Expr) else (right, left)
    if not isinstance(expr, Expr):
        raise Illegal(f"{_NAMES[op]} of undefined Expr")
    if expr.type != BOOL:
        raise Illegal(f"{_NAMES[op]} of Expr of type {expr.type}; legal is bool")
    if op == "and":
        return expr if value else Const(BOOL, 0)
    return Const(BOOL, 1) if value else expr


def _shifted(op: str, left: Expr, right: Expr) -> Expr:
    left, right = match_bits(left, right)
    return Binary(left.type, op, left, right)


def _shift_by_int(op: str, left: Operand, right: Operand) -> Expr:
    if not isinstance(left, Expr):
        if not isinstance(right, Expr):
            raise Illegal("shift of undefined Expr")
        return _shifted(op, const(INT32, int(left)), right)
    amount = int(right)  # type: ignore[arg-type]
    if amount < 0:
        op, amount = ("shr" if op == "shl" else "shl"), -amount
    return Binary(left.type, op, left, const_like(Type("uint", left.type.bits), amount))


def negate(value: Expr) -> Expr:
    """Unary minus: zero minus the value."""
    defined("operator-", value)
    return Binary(value.type, "sub", const(value.type, 0), value)


def logical_not(value: Expr) -> Expr:
    defined("operator!", value)
    if value.type != BOOL:
        raise Illegal(f"operator! of Expr of type {value.type}; legal is bool")
    return Unary(BOOL, "not", value)


def bitwise_not(value: Expr) -> Expr:
    defined("bitwise not", value)
    if not value.type.is_integer:
        raise Illegal("argument to bitwise not must be an integer or unsigned integer")
    if value.type == BOOL:
        return Unary(BOOL, "not", value)
    return Unary(value.type, "bnot", value)


def select(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """``select``: integer literals take the type of the other value."""
    defined("select", condition, then, otherwise)
    if is_const_int(condition):
        condition = cast(BOOL, condition)
    if is_const_int(then):
        then = cast(otherwise.type, then)
    if is_const_int(otherwise):
        otherwise = cast(then.type, otherwise)
    if condition.type != BOOL:
        raise Illegal(
            f"the first argument to a select must be a boolean, but has type {condition.type}"
        )
    if then.type != otherwise.type:
        raise Illegal(
            "the second and third arguments to a select do not have a matching type: "
            f"{then.type} and {otherwise.type}"
        )
    return Select(then.type, condition, then, otherwise)


def can_represent(type_: Type, other: Type) -> bool:
    """Whether every value of ``other`` is one of ``type_``."""
    if type_ == other:
        return True
    if type_.is_float:
        if other.is_float:
            return type_.bits > other.bits and (type_.code, other.code) != ("bfloat", "float")
        return other.bits <= {16: 0, 32: 16, 64: 32}[type_.bits]
    if other.is_float or type_.code == "handle" or other.code == "handle":
        return False
    return type_.smallest <= other.smallest and other.largest <= type_.largest


def lossless_cast(type_: Type, value: Expr) -> Expr | None:
    """The value in another type if that surely keeps it, else None."""
    if value.type == type_:
        return value
    if can_represent(type_, value.type):
        return cast(type_, value)
    if isinstance(value, Cast) and can_represent(value.type, value.value.type):
        return lossless_cast(type_, value.value)
    if isinstance(value, Const):
        made = const(type_, value.value)
        return made if made.value == value.value else None
    if type_.is_integer and value.type.is_integer:
        return _narrowed(type_, value)
    return None


_KEPT = frozenset({"add", "sub", "mul", "min", "max", "mod"})


def _narrowed(type_: Type, value: Expr) -> Expr | None:
    found = constant_range(value)
    if found is None or found[0] < type_.smallest or found[1] > type_.largest:
        return None
    if isinstance(value, Binary) and value.op in _KEPT:
        left, right = lossless_cast(type_, value.left), lossless_cast(type_, value.right)
        if left is not None and right is not None:
            return Binary(type_, value.op, left, right)
    return cast(type_, value) if value.type.bits <= type_.bits else None


def constant_range(value: Expr) -> tuple[int, int] | None:
    """The least and the greatest value of an integer expression, as far as it is plain to see."""
    own = (value.type.smallest, value.type.largest) if value.type.is_integer else None
    if own is None:
        return None
    found = _range(value, own)
    if found is None or found[0] < own[0] or found[1] > own[1]:
        return own
    return found


def _range(value: Expr, own: tuple[int, int]) -> tuple[int, int] | None:
    match value:
        case Const(value=number):
            return int(number), int(number)
        case Cast(value=inner):
            return constant_range(inner) if inner.type.is_integer else None
        case Select(then=then, otherwise=otherwise):
            one, other = constant_range(then), constant_range(otherwise)
            return (min(one[0], other[0]), max(one[1], other[1])) if one and other else None
        case Call(name="likely" | "likely_if_innermost", arguments=arguments):
            return constant_range(arguments[0])
        case Binary(op=op, left=left, right=right):
            one, other = constant_range(left), constant_range(right)
            return _combined(op, one, other) if one and other else None
    return own


def _combined(op: str, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int] | None:
    match op:
        case "add":
            return a[0] + b[0], a[1] + b[1]
        case "sub":
            return a[0] - b[1], a[1] - b[0]
        case "mul":
            products = [x * y for x in a for y in b]
            return min(products), max(products)
        case "min":
            return min(a[0], b[0]), min(a[1], b[1])
        case "max":
            return max(a[0], b[0]), max(a[1], b[1])
        case "mod" if b[0] > 0:
            return 0, b[1] - 1
        case "div" if b[0] > 0:
            quotients = [x // y for x in a for y in b]
            return min(quotients), max(quotients)
    return None


def clamp(value: Expr, least: Expr, most: Expr) -> Expr:
    defined("clamp", value, least, most)
    bounds = []
    for bound in (least, most):
        made = lossless_cast(value.type, bound)
        if made is None:
            raise Illegal(
                f"type mismatch in call to clamp: the first argument has type {value.type}, "
                f"but a bound has type {bound.type}; use an explicit cast"
            )
        bounds.append(made)
    low, high = bounds
    return Binary(value.type, "max", Binary(value.type, "min", value, high), low)


def variable(name: str) -> Variable:
    """A loop variable."""
    return Variable(INT32, name)
