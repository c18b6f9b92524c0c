"""What a value is as a sum of products of elements, shifted: exactly, or in its lowest bits.

Types decide what is known. int32 and wider signed integers do not overflow, so that sums in them
are exact. Unsigned and narrow ones wrap: the value that a machine with a wider accumulator
computes agrees in that many lowest bits, of which a shift to the right takes its distance away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from s2s.analyses.contractions.bounds import negated
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


@dataclass(frozen=True)
class Factor:
    """An element, or ``fill`` where not all ``conditions`` hold; ``less`` is taken off."""

    load: Load
    conditions: tuple[Expr, ...] = ()
    fill: int | float = 0
    less: int = 0

    @property
    def tensor(self) -> str:
        """What the element is one of."""
        return self.load.tensor

    @property
    def is_plain(self) -> bool:
        """Whether it is the element as it is."""
        return self == Factor(self.load)


@dataclass(frozen=True)
class Product:
    """An element times another one, where ``conditions`` hold; ``negative``: taken off.

    Without ``right`` it is multiplied by the number ``literal``.
    """

    left: Factor
    right: Factor | None
    conditions: tuple[Expr, ...] = ()
    negative: bool = False
    literal: int | float = 1

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The elements."""
        return (self.left,) if self.right is None else (self.left, self.right)

    def scaled(self, by: int | float) -> Product | None:
        """So many times the product; None where that is none."""
        if self.right is None and (self.literal in (1, -1) or not isinstance(by, float)):
            return replace(self, literal=self.literal * by)
        if self.right is not None and by in (1, -1):
            return replace(self, negative=self.negative == (by == 1))
        return None


@dataclass(frozen=True)
class Sum:
    """``(constant + loads + products) >> shift``, then within ``low`` and ``high``.

    ``bits``: how many of the lowest bits agree with the program's value; None: all. ``scale``: the
    number by which a sum of floats is multiplied before it is limited, ``last`` the element that
    is added before that; products of such a sum stand
    in the order in which they are added, behind the constant (a float) or the load.
    """

    products: tuple[Product, ...] = ()
    loads: tuple[Factor, ...] = ()
    constant: int | float = 0
    shift: int = 0
    bits: int | None = None
    low: int | float | None = None
    high: int | float | None = None
    scale: float | None = None
    last: Factor | None = None

    @property
    def is_finished(self) -> bool:
        """Whether nothing can be added any more."""
        ends = self.low, self.high, self.scale, self.last
        return self.shift != 0 or any(end is not None for end in ends)

    def wrapped(self, bits: int) -> Sum:
        """The same where only so many bits are known to be right."""
        return replace(self, bits=bits if self.bits is None else min(bits, self.bits))

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest value of a sum that is not finished."""
        low: float = self.constant
        high = low
        for factor in self.loads:
            ends = _ends(factor)
            low, high = low + ends[0], high + ends[1]
        for product in self.products:
            others = (product.literal,) if product.right is None else _ends(product.right)
            corners = [a * b for a in _ends(product.left) for b in others]
            corners = [-c for c in corners] if product.negative else corners
            corners += [0] if product.conditions else []
            low, high = low + min(corners), high + max(corners)
        return low, high


def _ends(factor: Factor) -> tuple[float, float]:
    values: list[float] = [factor.load.type.smallest, factor.load.type.largest]
    values += [factor.fill] if factor.conditions else []
    return min(values) - factor.less, max(values) - factor.less


def sum_of(expr: Expr) -> Sum:
    """A value as a sum; NotAContraction says which operation does not fit."""
    match expr:
        case Const(type_, value) if isinstance(value, int) or type_ == FLOAT32:
            return Sum(constant=float(value) if type_ == FLOAT32 else value)
        case Load():
            return _element(expr)
        case Cast(type_, value):
            return _converted(sum_of(value), value.type, type_)
        case Let(_, name, value, body):
            return sum_of(substitute(body, {name: value}))
        case Binary(type_, op, left, right):
            return _operation(expr, op, left, right)
        case Select(_, condition, then, otherwise):
            return _chosen(condition, sum_of(then), sum_of(otherwise))
        case Call(type_, name, arguments):
            return _called(expr, name, arguments)
    raise NotAContraction(f"the value has {_about(expr)} in it")


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
    if value.bits is None and not value.is_finished:
        low, high = value.range
        if target.smallest <= low and high <= target.largest:
            return value
    return value.wrapped(target.bits)


def _is_exact(value: Sum) -> bool:
    """Whether a value is an integer that a float has."""
    return value == Sum(constant=value.constant) and abs(value.constant) <= 1 << 24


def _operation(expr: Binary, op: str, left: Expr, right: Expr) -> Sum:
    match op:
        case "add":
            return _wrapping(_added(sum_of(left), sum_of(right)), expr.type)
        case "sub":
            return _wrapping(_added(sum_of(left), _scaled(sum_of(right), -1)), expr.type)
        case "mul":
            return _wrapping(_multiplied(sum_of(left), sum_of(right)), expr.type)
        case "shl" if isinstance(right, Const) and isinstance(right.value, int):
            if 0 <= right.value < 31:
                return _wrapping(_scaled(sum_of(left), 1 << int(right.value)), expr.type)
        case "shr" if isinstance(right, Const) and isinstance(right.value, int):
            return _shifted(sum_of(left), int(right.value))
        case "div" if isinstance(right, Const) and isinstance(right.value, int):
            distance = int(right.value).bit_length() - 1
            if right.value == 1 << distance:
                return _shifted(sum_of(left), distance)
        case "shr" if isinstance(inner := _unconverted(right), Load):
            text = f"a sum is shifted by an element of {inner.tensor}; all have to be by one number"
            raise NotAContraction(text)
        case "min" | "max":
            return _limited(op, sum_of(left), sum_of(right))
    raise NotAContraction(f"the value has {_about(expr)} in it")


def _unconverted(expr: Expr) -> Expr:
    """What is converted, if anything is."""
    while isinstance(expr, Cast):
        expr = expr.value
    return expr


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
    if left.is_finished or right.is_finished:
        raise NotAContraction("something is added after a shift or a limit")
    bits = [b for b in (left.bits, right.bits) if b is not None]
    return Sum(
        left.products + right.products,
        left.loads + right.loads,
        left.constant + right.constant,
        bits=min(bits, default=None),
    )


def _multiplied(left: Sum, right: Sum) -> Sum:
    for factor, other in ((left, right), (right, left)):
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


def literal(factors: Sequence[Factor]) -> tuple[Product, ...]:
    """Elements as products with the number 1."""
    return tuple(Product(factor, None) for factor in factors)


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


def _called(expr: Call, name: str, arguments: tuple[Expr, ...]) -> Sum:
    values = [sum_of(a) for a in arguments]
    match name:
        case "widening_mul":
            return _multiplied(*values)
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
