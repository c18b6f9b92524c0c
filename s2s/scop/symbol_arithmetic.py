"""Quotients and conversions of symbols and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2s.scop.expressions import Type
from s2s.scop.symbols import (
    Element,
    Largest,
    Mark,
    NotSymbolic,
    Position,
    Sum,
    Symbol,
    Test,
    Value,
    depends,
)


def divide(left: Value, right: Value, *, integers: bool) -> Value:
    """A quotient; by zero it is 0, which nobody looks at. Raises NotSymbolic."""
    if isinstance(right, Symbol):
        return depends()
    if isinstance(left, Symbol):
        if integers:
            raise NotSymbolic("integers are divided, which rounds")
        if right == 0:
            raise NotSymbolic("a division by zero")
        return Sum.of(left).times(1 / right)
    if right == 0:
        return 0
    if integers:
        quotient = abs(left) // abs(right)
        return quotient if (left < 0) == (right < 0) else -quotient
    return left / right


def convert(value: Value, new: Type, old: Type, types: Mapping[str, Type]) -> Value:
    """A value in another type; elements of arrays of ``types`` keep theirs where it has them all.

    Raises NotSymbolic.
    """
    if not isinstance(value, Symbol):
        return float(value) if new.is_float else new.wrap(int(value))
    keeps_sign = old.code == new.code or old.code == "uint"
    if new.is_float or (old.is_integer and new.bits >= old.bits and keeps_sign):
        return value
    if isinstance(value, Position | Mark | Test):
        return value
    elements: Iterable[Element] = ()
    if isinstance(value, Largest) and value.least <= new.largest:
        elements = value.elements
    elif isinstance(value, Sum) and value.single is not None:
        elements = [value.single]
    if elements and all(_holds(new, types[name]) for name, _ in elements):
        return value
    raise NotSymbolic("data is converted to an integer type that may not hold it")


def _holds(new: Type, old: Type) -> bool:
    """Whether an integer type has all values of another one."""
    return old.is_integer and new.smallest <= old.smallest and old.largest <= new.largest
