"""Sums that are multiplied, or shifted by elements, as layers with quantised values end.

``(acc * m[k] + half) >> s``, ``acc >> shift[k]``: the sum has at most 32 bits there, and what it is
multiplied by has 32, so that a machine with sums of 64 bits or more computes all of it exactly. A
shift by d is a product with ``1 << (31 - d)`` and a shift by 31.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from s2s.analyses.contractions.forms import Factor, Sum
from s2s.scop.contraction import NotAContraction
from s2s.scop.expressions import INT32, Binary, Cast, Const, Expr, Load, Select, Type

_DISTANCE = INT32.bits - 1


def unconverted(expr: Expr) -> Expr:
    """What is made wider, if anything is."""
    while isinstance(expr, Cast) and expr.type.bits >= expr.value.type.bits:
        expr = expr.value
    return expr


def shifted_by_element(value: Sum, distance: Load, type_: Type, *, rounds: bool) -> Sum:
    """A sum shifted to the right by an element, after half of what is dropped is added or not."""
    _check_sum(value, type_, f"shifted by an element of {distance.tensor}")
    return replace(
        value,
        factor=Factor(distance, is_distance=True),
        late=1 << (_DISTANCE - 1) if rounds else 0,
        shift=_DISTANCE,
        is_narrow=True,
    )


def scaled_sum(value: Sum, factor: Sum, type_: Type, computed: Container[str]) -> Sum | None:
    """A sum that a program has computed times an element or a number; None for other products."""
    if not any(load.tensor in computed for load in value.loads) or not type_.is_integer:
        return None
    by: Factor | int
    if factor == Sum(constant=factor.constant) and isinstance(factor.constant, int):
        by = factor.constant
        fits = INT32.smallest <= by <= INT32.largest
    elif factor == Sum(loads=factor.loads) and len(factor.loads) == 1:
        by = factor.loads[0]
        fits = by.is_plain and by.tensor not in computed and _is_within_32_bits(by.load.type)
    else:
        return None
    if not fits:
        raise NotAContraction("a sum is multiplied by something of more than 32 bits")
    _check_sum(value, INT32 if type_ == INT32 else None, "multiplied")
    return replace(value, factor=by, multiplied=type_, is_narrow=type_ == INT32)


def _check_sum(value: Sum, type_: Type | None, what: str) -> None:
    """That a sum is exact and has 32 bits, by its type or by what is known of its terms."""
    if value.is_finished or value.bits is not None:
        raise NotAContraction(f"a sum is {what} after a shift, a limit, or where it may wrap")
    low, high = value.range
    if type_ != INT32 and not INT32.smallest <= low <= high <= INT32.largest:
        raise NotAContraction(f"a sum of more than 32 bits is {what}")


def _is_within_32_bits(type_: Type) -> bool:
    return type_.is_integer and INT32.smallest <= type_.smallest and type_.largest <= INT32.largest


def converted_product(value: Sum, target: Type) -> Sum | None:
    """A shifted product of 64 bits as the 32 bits that a conversion leaves; None for others."""
    limited = value.low is not None or value.high is not None
    if value.factor is None or value.bits is not None or limited:
        return None
    return replace(value, is_narrow=True) if target == INT32 and value.shift else None


def added_later(value: Sum, constant: int | float) -> Sum | None:
    """A shifted or multiplied sum to which a number is added; None where that is another form."""
    if not isinstance(constant, int) or value.low is not None or value.high is not None:
        return None
    if value.factor is not None:
        return replace(value, late=value.late + (constant << value.shift))
    if not value.shift or isinstance(value.constant, float):
        return None
    return replace(value, constant=value.constant + (constant << value.shift))


def converted_later(form: Sum, outer: Sum, type_: Type) -> tuple[Sum, Sum]:
    """A product and what a statement does to it, where that keeps 32 bits of it, as a number."""
    keeps = (outer.bits, type_) == (INT32.bits, INT32) and (outer.shift or form.shift)
    if form.factor is None or form.bits is not None or form.is_narrow or not keeps:
        return form, outer
    return replace(form, is_narrow=True), replace(outer, bits=None)


def combined_products(form: Sum, outer: Sum) -> Sum:
    """What a sum and a statement that goes on with it are multiplied by. Raises NotAContraction."""
    if outer.factor is not None:
        if form.is_finished or form.bits is not None:
            text = "a sum is multiplied or shifted by an element after a shift, or where it wraps"
            raise NotAContraction(text)
        return outer
    if form.factor is not None and form.shift and outer.shift:
        raise NotAContraction("a product of a sum is shifted twice")
    return form


def without_half(value: Expr, distance: Load) -> tuple[Expr, bool]:
    """A value without half of ``1 << distance``, and whether that is added to it."""
    if isinstance(value, Binary) and value.op == "add":
        for part, rest in ((value.right, value.left), (value.left, value.right)):
            if _is_half(unconverted(part), distance):
                return rest, True
    return value, False


def _is_half(expr: Expr, distance: Load) -> bool:
    """Whether a value is ``1 << (distance - 1)``; anything where the distance is zero."""
    match expr:
        case Binary(_, "shl", one, by) if _is_number(one, 1):
            return _is_one_less(unconverted(by), distance)
        case Binary(_, "shr", power, one) if _is_number(one, 1):
            return _is_power(unconverted(power), distance)
        case Binary(_, "div", power, two) if _is_number(two, 2):
            return _is_power(unconverted(power), distance)
        case Select(_, condition, then, zero) if _is_number(zero, 0):
            return _is_positive(condition, distance) and _is_half(unconverted(then), distance)
    return False


def _is_number(expr: Expr, value: int) -> bool:
    bare = unconverted(expr)
    return isinstance(bare, Const) and bare.value == value


def _is_power(expr: Expr, distance: Load) -> bool:
    if not isinstance(expr, Binary) or expr.op != "shl":
        return False
    return _is_number(expr.left, 1) and unconverted(expr.right) is distance


def _is_one_less(expr: Expr, distance: Load) -> bool:
    if not isinstance(expr, Binary) or expr.op not in ("sub", "add"):
        return False
    return unconverted(expr.left) is distance and _is_number(
        expr.right, 1 if expr.op == "sub" else -1
    )


def _is_positive(condition: Expr, distance: Load) -> bool:
    if not isinstance(condition, Binary):
        return False
    left, right = unconverted(condition.left), condition.right
    if left is distance:
        least = {"gt": 0, "ne": 0, "ge": 1}.get(condition.op)
        return least is not None and _is_number(right, least)
    return condition.op == "lt" and _is_number(left, 0) and unconverted(right) is distance
