"""What a value is as a sum of products of elements, shifted: exactly, or in its lowest bits.

Types decide what is known. int32 and wider signed integers do not overflow, so that sums in them
are exact. Unsigned and narrow ones wrap: the value that a machine with a wider accumulator
computes agrees in that many lowest bits, of which a shift to the right takes its distance away.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from s2s.analyses.contractions.bounds import negated
from s2s.analyses.contractions.forms import Factor, Product, Sum, literal
from s2s.analyses.contractions.scaling import (
    added_later,
    converted_product,
    scaled_sum,
    shifted_by_element,
    unconverted,
    without_half,
)
from s2s.scop.contraction import NotAContraction
from s2s.scop.expressions import (
    FLOAT32,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Let,
    Load,
    Select,
    Type,
)
from s2s.scop.rewrite import substitute


def sum_of(expr: Expr, computed: Container[str] = ()) -> Sum:
    """A value as a sum; NotAContraction says which operation does not fit.

    Elements of the tensors ``computed`` are sums themselves, which may be multiplied.
    """
    match expr:
        case Const(type_, value) if isinstance(value, int) or type_ == FLOAT32:
            return Sum(constant=float(value) if type_ == FLOAT32 else value)
        case Load():
            return _element(expr)
        case Cast(type_, value):
            return _converted(sum_of(value, computed), value.type, type_)
        case Let(_, name, value, body):
            return sum_of(substitute(body, {name: value}), computed)
        case Binary(type_, op, left, right):
            return _operation(expr, op, left, right, computed)
        case Select(_, _, then, otherwise) if _divides(then) or _divides(otherwise):
            raise NotAContraction("the value has a division in it, which rounds to zero")
        case Select(_, condition, then, otherwise):
            return _chosen(condition, sum_of(then, computed), sum_of(otherwise, computed))
        case Call(type_, name, arguments):
            return _called(expr, name, arguments, computed)
    raise NotAContraction(f"the value has {_about(expr)} in it")


def _divides(value: Expr) -> bool:
    """Whether a value is a quotient or a remainder, or made of one."""
    match value:
        case Binary(_, op, left, right):
            return op in ("div", "mod") or _divides(left) or _divides(right)
        case Cast(_, inner):
            return _divides(inner)
    return False


def _element(load: Load) -> Sum:
    if not load.type.is_integer and load.type != FLOAT32:
        text = f"{load.tensor} has elements of type {load.type}, neither integers nor float32"
        raise NotAContraction(text)
    return Sum(loads=(Factor(load),))


def _chosen(condition: Expr, then: Sum, otherwise: Sum) -> Sum:
    """A choice between a number and an element, or between products and nothing."""
    for value, other, holds in (
        (then, otherwise, condition),
        (otherwise, then, negated(condition)),
    ):
        if other != Sum(constant=other.constant):
            continue
        if value == Sum(loads=value.loads) and len(value.loads) == 1:
            return replace(value, loads=(_within(value.loads[0], holds, other.constant),))
        plain = Sum(products=value.products, bits=value.bits)
        if other.constant == 0 and value == plain and value.products:
            products = tuple(replace(p, conditions=(*p.conditions, holds)) for p in value.products)
            return replace(value, products=products)
    raise NotAContraction("there is a choice that is not between an element and a number")


def _within(factor: Factor, condition: Expr, fill: float) -> Factor:
    if factor.less or (factor.conditions and factor.fill != fill):
        raise NotAContraction("the value has a choice in a choice in it")
    return replace(factor, conditions=(*factor.conditions, condition), fill=fill)


def _about(expr: Expr) -> str:
    match expr:
        case Binary(_, op):
            return f"the operation '{op}'"
        case Call(_, name):
            return f"the function '{name}'"
    return {"Variable": "a variable"}.get(type(expr).__name__, "a " + type(expr).__name__.lower())


def contains(outer: Type, inner: Type) -> bool:
    """Whether an integer type has all values of another."""
    return outer.smallest <= inner.smallest and inner.largest <= outer.largest


def _converted(value: Sum, source: Type, target: Type) -> Sum:
    if source == target or (target == FLOAT32 and _is_exact(value)):
        return value if source == target else Sum(constant=float(value.constant))
    if not source.is_integer or not target.is_integer:
        raise NotAContraction(f"a value of type {source} becomes {target}")
    if contains(target, source):
        return value
    if value.low is not None and value.high is not None:
        if target.smallest <= value.low and value.high <= target.largest:
            return value
        raise NotAContraction(f"a value within {value.low} and {value.high} becomes {target}")
    if (narrow := converted_product(value, target)) is not None:
        return narrow
    if value.bits is None and not value.is_finished:
        low, high = value.range
        if target.smallest <= low and high <= target.largest:
            return value
    return value.wrapped(target.bits)


def _is_exact(value: Sum) -> bool:
    """Whether a value is an integer that a float has."""
    return value == Sum(constant=value.constant) and abs(value.constant) <= 1 << 24


def _operation(expr: Binary, op: str, left: Expr, right: Expr, computed: Container[str]) -> Sum:
    def value(operand: Expr) -> Sum:
        return sum_of(operand, computed)

    match op:
        case "add":
            return _wrapping(_added(value(left), value(right)), expr.type)
        case "sub":
            return _wrapping(_added(value(left), _scaled(value(right), -1)), expr.type)
        case "mul":
            return _wrapping(_multiplied(value(left), value(right), expr.type, computed), expr.type)
        case "shl" if isinstance(right, Const) and isinstance(right.value, int):
            if 0 <= right.value < 31:
                return _wrapping(_scaled(value(left), 1 << int(right.value)), expr.type)
        case "shr" if isinstance(right, Const) and isinstance(right.value, int):
            return _shifted(value(left), int(right.value))
        case "div" if isinstance(right, Const) and isinstance(right.value, int):
            distance = int(right.value).bit_length() - 1
            if right.value == 1 << distance:
                return _shifted(value(left), distance)
        case "shr" if isinstance(inner := unconverted(right), Load):
            base, rounds = without_half(left, inner)
            return shifted_by_element(value(base), inner, expr.type, rounds=rounds)
        case "min" | "max":
            return _limited(op, value(left), value(right))
    raise NotAContraction(f"the value has {_about(expr)} in it")


def _wrapping(value: Sum, type_: Type) -> Sum:
    if type_ == FLOAT32:
        return value
    if not type_.is_integer:
        raise NotAContraction(f"the value is computed in {type_}")
    if type_.wraps and not value.is_finished and value.bits is None:
        low, high = value.range
        if type_.smallest <= low and high <= type_.largest:
            return value
    return value.wrapped(type_.bits) if type_.wraps else value


def _added(left: Sum, right: Sum) -> Sum:
    for value, other in ((left, right), (right, left)):
        if value.is_finished and other == Sum(constant=other.constant):
            later = added_later(value, other.constant)
            if later is not None:
                return later
    if left.is_finished or right.is_finished:
        raise NotAContraction("something is added after a shift or a limit")
    bits = [b for b in (left.bits, right.bits) if b is not None]
    return Sum(
        left.products + right.products,
        left.loads + right.loads,
        left.constant + right.constant,
        bits=min(bits, default=None),
    )


def _multiplied(left: Sum, right: Sum, type_: Type, computed: Container[str]) -> Sum:
    for factor, other in ((left, right), (right, left)):
        scaled = scaled_sum(other, factor, type_, computed)
        if scaled is not None:
            return scaled
        if factor == Sum(constant=factor.constant):
            return _scaled(other, factor.constant)
    one, two = _factor(left), _factor(right)
    return Sum(products=(Product(one, two),))


def _scaled(value: Sum, factor: int | float) -> Sum:
    if factor == 1:
        return value
    if value.is_finished:
        raise NotAContraction("something that is shifted or limited is multiplied or taken off")
    products = [p.scaled(factor) for p in (*value.products, *literal(value.loads))]
    if any(p is None for p in products):
        raise NotAContraction(f"a value is multiplied by the number {factor}")
    return Sum(
        tuple(p for p in products if p is not None),
        constant=value.constant * factor if value.constant else value.constant,
        bits=value.bits,
    )


def _factor(value: Sum) -> Factor:
    if value == Sum(loads=value.loads, constant=value.constant) and len(value.loads) == 1:
        factor = value.loads[0]
        if isinstance(value.constant, float):
            raise NotAContraction("a number is added to a factor of floats")
        return replace(factor, less=factor.less - value.constant)
    if value.bits is not None and len(value.loads) == 1 and not value.products:
        raise NotAContraction(f"an element of {value.loads[0].tensor} wraps before it is used")
    raise NotAContraction("a factor of a product is no element")


def _shifted(value: Sum, distance: int) -> Sum:
    if value.low is not None or value.high is not None:
        raise NotAContraction("a shift after a limit")
    if value.factor is not None and value.shift and distance:
        raise NotAContraction("a product of a sum is shifted twice")
    if not 0 <= distance < 64:
        raise NotAContraction(f"a shift by {distance}")
    bits = None if value.bits is None else value.bits - distance
    return replace(value, shift=value.shift + distance, bits=bits)


def _limited(op: str, left: Sum, right: Sum) -> Sum:
    for value, limit in ((left, right), (right, left)):
        if limit == Sum(constant=limit.constant):
            if value.bits is not None:
                raise NotAContraction("a value that may have wrapped is limited")
            if op == "min":
                high = limit.constant if value.high is None else min(limit.constant, value.high)
                return replace(value, high=high)
            low = limit.constant if value.low is None else max(limit.constant, value.low)
            return replace(value, low=low)
    raise NotAContraction(f"the value has the operation '{op}' in it")


def _called(expr: Call, name: str, arguments: tuple[Expr, ...], computed: Container[str]) -> Sum:
    values = [sum_of(a, computed) for a in arguments]
    match name:
        case "widening_mul":
            return _multiplied(values[0], values[1], expr.type, computed)
        case "widening_add":
            return _added(*values)
        case "saturating_cast":
            low, high = Sum(constant=expr.type.smallest), Sum(constant=expr.type.largest)
            return _limited("max", _limited("min", values[0], high), low)
        case "rounding_shift_right" if values[1] == Sum(constant=values[1].constant):
            distance = int(values[1].constant)
            half = Sum(constant=(1 << distance) >> 1)
            if values[0].is_finished or values[0].bits is not None:
                raise NotAContraction("a value that is shifted or may have wrapped is rounded")
            return _shifted(_added(values[0], half), distance)
        case "likely" | "likely_if_innermost":
            return values[0]
    raise NotAContraction(f"the value has {_about(expr)} in it")
