"""C's arithmetic as typed expressions: promotions, conversions, and narrow types again.

C computes with ``int`` or wider; an expression says in which type an operation is done. Where a
result is converted back to the type of its operands and no other bits matter, the operation is
one of that type: ``uint16_t c = a + b`` is a sum of 16 bits.
"""

from __future__ import annotations

from s2s.scop.expressions import (
    BOOL,
    FLOAT32,
    INT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Select,
    Type,
    Unary,
)

_LOW_BITS = ("add", "sub", "mul", "band", "bor", "bxor")
"""The low bits of the result depend on the low bits of the operands alone."""
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_LIKE = ("min", "max", "div", "mod", "shr", *_LOW_BITS)


def common(left: Type, right: Type) -> Type:
    """The type in which C combines two operands."""
    for kind in (left, right):
        if kind.is_float:
            other = right if kind is left else left
            if not other.is_float or other == kind:
                return kind
            return kind if (kind.bits, kind.code) > (other.bits, other.code) else other
    a, b = promoted(left), promoted(right)
    if a == b:
        return a
    return max(a, b, key=lambda t: (t.bits, t.code == "uint"))


def promoted(kind: Type) -> Type:
    return INT32 if kind.bits < 32 else kind


def as_type(kind: Type, value: Expr) -> Expr:
    """A value converted; what only its low bits matter for is computed in the narrow type."""
    if value.type == kind:
        return value
    if kind == BOOL:
        return Binary(BOOL, "ne", value, Const(value.type, 0))
    if isinstance(value, Const):
        return _literal(kind, value)
    inner = _stripped(value, kind)
    if inner is not None:
        return inner
    narrow = _narrowed(kind, value)
    return Cast(kind, value) if narrow is None else narrow


def _literal(kind: Type, value: Const) -> Expr:
    if kind.is_integer:
        return Const(kind, kind.wrap(int(value.value)))
    if kind.is_float and kind == FLOAT32:
        import struct

        return Const(kind, struct.unpack("f", struct.pack("f", value.value))[0])
    return Cast(kind, value) if kind.bits == 16 else Const(kind, float(value.value))


def _stripped(value: Expr, kind: Type) -> Expr | None:
    """The operand of a conversion to a type that has all its values, if it is of this type; or the
    same bits, read in another type and back.
    """
    match value:
        case Cast(wide, inner) if wide.is_integer and inner.type == kind and kind != BOOL:
            return inner if kind.is_integer and wide.bits >= kind.bits else None
    return None


def _narrowed(kind: Type, value: Expr) -> Expr | None:
    if not (kind.is_integer and value.type.is_integer and kind.bits < value.type.bits):
        return None
    match value:
        case Binary(_, op, left, right) if op in _LOW_BITS:
            a, b = _narrow_operand(kind, left), _narrow_operand(kind, right)
            return None if a is None or b is None else Binary(kind, op, a, b)
        case Binary(_, "shl", left, Const(_, int() as by)) if 0 <= by < kind.bits:
            a = _narrow_operand(kind, left)
            return None if a is None else Binary(kind, "shl", a, Const(kind, by))
        case Unary(_, "bnot", inner):
            a = _narrow_operand(kind, inner)
            return None if a is None else Unary(kind, "bnot", a)
        case Select(_, condition, then, otherwise):
            a, b = as_type(kind, then), as_type(kind, otherwise)
            return Select(kind, condition, a, b)
        case Binary(_, "min" | "max" | "div" | "mod" | "shr" as op, left, right):
            a, b = exactly(kind, left), exactly(kind, right)
            return None if a is None or b is None else Binary(kind, op, a, b)
    return None


def _narrow_operand(kind: Type, value: Expr) -> Expr | None:
    """An operand of which the low bits matter, in the type."""
    if isinstance(value, Const):
        return _literal(kind, value)
    if isinstance(value, Cast) and value.type.is_integer and value.value.type.bits == kind.bits:
        inner = value.value
        return inner if inner.type == kind else Cast(kind, inner) if inner.type.is_integer else None
    return _narrowed(kind, value)


def exactly(kind: Type, value: Expr) -> Expr | None:
    """A value in a narrower type that it does not leave, where that is plain to see."""
    if value.type == kind:
        return value
    if isinstance(value, Const) and isinstance(value.value, int):
        return Const(kind, value.value) if kind.smallest <= value.value <= kind.largest else None
    if isinstance(value, Cast) and value.type.is_integer and value.value.type == kind:
        # A sign that is lost makes much of less than 0, and a narrower type loses bits.
        kept = kind.code != "int" or value.type.code == "int"
        return value.value if kept and value.type.bits > kind.bits else None
    return None


def binary(op: str, left: Expr, right: Expr) -> Expr:
    """``left op right`` as C computes it."""
    if op in ("and", "or"):
        return Binary(BOOL, op, as_type(BOOL, left), as_type(BOOL, right))
    if op in ("shl", "shr"):
        kind = promoted(left.type)
        by = as_type(Type(right.type.code, kind.bits), right)
        return Binary(kind, op, as_type(kind, left), by)
    if op in _COMPARISONS:
        return _compared(op, left, right)
    kind = common(left.type, right.type)
    a, b = as_type(kind, left), as_type(kind, right)
    if isinstance(a, Const) and isinstance(b, Const) and kind.is_integer:
        folded = _folded(op, int(a.value), int(b.value))
        if folded is not None:
            return Const(kind, kind.wrap(folded))
    if op in ("div", "mod") and kind.code == "int":
        return _toward_zero(op, kind, a, b)
    return Binary(kind, op, a, b)


def _folded(op: str, a: int, b: int) -> int | None:
    match op:
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
    return None


def _compared(op: str, left: Expr, right: Expr) -> Expr:
    for kind in (left.type, right.type):
        if kind.is_integer and kind != BOOL:
            a, b = exactly(kind, left), exactly(kind, right)
            if a is not None and b is not None:
                return Binary(BOOL, op, a, b)
    kind = common(left.type, right.type)
    return Binary(BOOL, op, as_type(kind, left), as_type(kind, right))


def _toward_zero(op: str, kind: Type, a: Expr, b: Expr) -> Expr:
    """C's division rounds toward zero, that of expressions down; they agree for what is never
    negative.
    """
    if _is_natural(a) and isinstance(b, Const) and b.value > 0:
        return Binary(kind, op, a, b)
    return Call(kind, f"{op}_round_to_zero", (a, b))


def _is_natural(value: Expr) -> bool:
    """Whether a value comes from an unsigned type that is narrower."""
    return (
        isinstance(value, Cast)
        and value.value.type.code == "uint"
        and (value.value.type.bits < value.type.bits)
    )


def select(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """``condition ? then : otherwise``."""
    kind = then.type if then.type == otherwise.type else common(then.type, otherwise.type)
    return Select(kind, as_type(BOOL, condition), as_type(kind, then), as_type(kind, otherwise))


def extreme(op: str, left: Expr, right: Expr) -> Expr:
    """``min`` or ``max`` of templates: of operands of one type it is of that type."""
    kind = left.type if left.type == right.type else common(left.type, right.type)
    return Binary(kind, op, as_type(kind, left), as_type(kind, right))
