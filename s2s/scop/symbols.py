"""Values of a program that runs on data nobody has yet: what they are made of.

Numbers that a program computes are numbers. What comes from arrays of the caller stays a symbol::

    Symbol := Sum | Largest | Position | Mark | Test

A sum of products of elements, the largest of some, where that one was found, whether an element
is it, a comparison. Sums and maxima grow by an element at a time, so each shares its parts with
what it was made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from s2s.source import Span

Element = tuple[str, int]
"""An array and the place in its memory, counted in elements."""
Product = tuple[Element, ...]
Value = Any
"""A number, or a symbol."""
LOWEST = -65504.0
"""What counts as lower than all: the least number of half precision, or less."""


class NotSymbolic(Exception):
    """Values for which there is no symbol: why, and at which statement."""

    def __init__(self, reason: str, at: Span | None = None) -> None:
        super().__init__(reason)
        self.reason, self.at = reason, at


def depends(*_: object) -> Any:
    """Refuses an operation on symbols. Raises NotSymbolic."""
    raise NotSymbolic("what is computed depends on data")


class Symbol:
    """What all symbols share: arithmetic where there is any, and tests that others decide."""

    __slots__ = ()

    def __add__(self, other: Value) -> Value:
        return Sum.of(self).plus(Sum.of(other), 1.0)

    __radd__ = __add__

    def __sub__(self, other: Value) -> Value:
        return Sum.of(self).plus(Sum.of(other), -1.0)

    def __rsub__(self, other: Value) -> Value:
        return Sum.of(other).plus(Sum.of(self), -1.0)

    def __neg__(self) -> Value:
        return Sum.of(self).times(-1.0)

    def __mul__(self, other: Value) -> Value:
        if isinstance(other, int | float):
            return Sum.of(self).times(other)
        return Sum.of(self).product(Sum.of(other))

    __rmul__ = __mul__

    def __gt__(self, other: Value) -> Value:
        return Test.larger(self, other, strictly=True)

    def __ge__(self, other: Value) -> Value:
        return Test.larger(self, other, strictly=False)

    def __lt__(self, other: Value) -> Value:
        return Test.larger(other, self, strictly=True)

    def __le__(self, other: Value) -> Value:
        return Test.larger(other, self, strictly=False)

    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = depends
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __mod__ = __rmod__ = depends
    __floordiv__ = __rfloordiv__ = __index__ = __int__ = __float__ = __bool__ = depends
    __truediv__ = __rtruediv__ = depends


class Sum(Symbol):
    """Products of elements, each with a factor, and a number."""

    __slots__ = ("_parts", "_size", "_terms", "constant")

    def __init__(
        self, parts: list[tuple[Product, float]], size: int, constant: float = 0.0
    ) -> None:
        # The list is shared with sums that have more of it.
        self._parts, self._size, self.constant = parts, size, constant
        self._terms: dict[Product, float] | None = None

    @staticmethod
    def element(place: Element) -> Sum:
        """An element itself."""
        return Sum([((place,), 1.0)], 1)

    @staticmethod
    def of(value: Value) -> Sum:
        """A value as a sum. Raises NotSymbolic."""
        if isinstance(value, Sum):
            return value
        if isinstance(value, int | float):
            return Sum([], 0, float(value))
        if isinstance(value, Largest):
            raise NotSymbolic("something is added to a maximum")
        return depends()  # type: ignore[no-any-return]

    @property
    def terms(self) -> Mapping[Product, float]:
        """The factor of each product."""
        if self._terms is None:
            self._terms = {}
            for product, factor in self._parts[: self._size]:
                self._terms[product] = self._terms.get(product, 0.0) + factor
        return self._terms

    @property
    def single(self) -> Element | None:
        """The element that it is, None where it is more."""
        if self.constant or self._size != 1:
            return None
        product, factor = self._parts[0]
        return product[0] if len(product) == 1 and factor == 1 else None

    def added_to(self, before: Value) -> list[Product]:
        """Products that have come to what was there before."""
        if isinstance(before, Sum):
            if before._parts is self._parts:
                return [product for product, _ in self._parts[before._size : self._size]]
            return [product for product in self.terms if product not in before.terms]
        return list(self.terms)

    def plus(self, other: Sum, factor: float) -> Sum:
        """With a multiple of another one."""
        constant = self.constant + factor * other.constant
        if not self._size and factor == 1:
            return Sum(other._parts, other._size, constant)
        parts = self._parts
        if len(parts) != self._size:
            parts = parts[: self._size]
        parts.extend((product, factor * by) for product, by in other._parts[: other._size])
        return Sum(parts, self._size + other._size, constant)

    def times(self, factor: float) -> Sum:
        """A multiple."""
        parts = [(product, by * factor) for product, by in self._parts[: self._size]]
        return Sum(parts, len(parts), self.constant * factor)

    def product(self, other: Sum) -> Sum:
        """The product with another one."""
        parts = []
        for first, factor in (*self.terms.items(), ((), self.constant)):
            for second, by in (*other.terms.items(), ((), other.constant)):
                if factor and by and (first or second):
                    parts.append((tuple(sorted((*first, *second))), factor * by))
        return Sum(parts, len(parts), self.constant * other.constant)


class Largest(Symbol):
    """The largest of elements and a number."""

    __slots__ = ("_elements", "_parts", "_size", "least")

    def __init__(self, parts: list[Element], size: int, least: float) -> None:
        self._parts, self._size, self.least = parts, size, least
        self._elements: frozenset[Element] | None = None

    @staticmethod
    def of(value: Value) -> Largest:
        """A value as a maximum. Raises NotSymbolic."""
        if isinstance(value, Largest):
            return value
        if isinstance(value, Sum):
            single = value.single
            if single is None:
                raise NotSymbolic("a maximum of computed values")
            return Largest([single], 1, float("-inf"))
        if isinstance(value, int | float):
            return Largest([], 0, float(value))
        return depends()  # type: ignore[no-any-return]

    @property
    def elements(self) -> frozenset[Element]:
        if self._elements is None:
            self._elements = frozenset(self._parts[: self._size])
        return self._elements

    @property
    def ordered(self) -> tuple[Element, ...]:
        """The elements in the order in which they came."""
        return tuple(self._parts[: self._size])

    def is_same(self, other: Largest) -> bool:
        """Whether it is the largest of the same."""
        if self.least != other.least:
            return False
        return (self._parts is other._parts and self._size == other._size) or (
            self.elements == other.elements
        )

    def union(self, other: Largest) -> Largest:
        """The larger one of both."""
        least = max(self.least, other.least)
        if not self._size:
            return Largest(other._parts, other._size, least)
        parts = self._parts
        if len(parts) != self._size:
            parts = parts[: self._size]
        parts.extend(other._parts[: other._size])
        return Largest(parts, self._size + other._size, least)


class Position(Symbol):
    """A number for the element that is the largest one: ``numbers`` in the order of comparison.

    ``is_last``: the last one of several that are equal counts, otherwise the first. ``otherwise``
    is the number where no element is larger than what the comparison began with.
    """

    __slots__ = ("is_last", "numbers", "otherwise")

    def __init__(
        self, numbers: dict[Element, int], otherwise: int | None, is_last: bool | None
    ) -> None:
        self.numbers, self.otherwise, self.is_last = numbers, otherwise, is_last

    def __add__(self, other: Value) -> Value:
        if isinstance(other, Position):
            return self._sum(other)
        return self._each(lambda number: number + int(other))

    __radd__ = __add__

    def __sub__(self, other: Value) -> Value:
        return self._each(lambda number: number - int(other))

    def __mul__(self, other: Value) -> Value:
        return self._each(lambda number: number * int(other))

    __rmul__ = __mul__

    def _each(self, change: Any) -> Position:
        numbers = {element: change(number) for element, number in self.numbers.items()}
        otherwise = None if self.otherwise is None else change(self.otherwise)
        return Position(numbers, otherwise, self.is_last)

    def _sum(self, other: Position) -> Value:
        """A number made of two: of the row and the column of one maximum."""
        same = self.numbers.keys() == other.numbers.keys() and self.is_last == other.is_last
        if not same or (self.otherwise is None) != (other.otherwise is None):
            return depends()
        numbers = {element: n + other.numbers[element] for element, n in self.numbers.items()}
        otherwise = None if self.otherwise is None else self.otherwise + (other.otherwise or 0)
        return Position(numbers, otherwise, self.is_last)

    def marks(self) -> Mapping[int, Mark]:
        """For each number 1 where it is this one, 0 elsewhere. Raises NotSymbolic."""
        if len(set(self.numbers.values())) < len(self.numbers):
            return depends()  # type: ignore[no-any-return]
        whole = Largest(list(self.numbers), len(self.numbers), float("-inf"))
        return {n: Mark(element, whole, self) for element, n in self.numbers.items()}


class Mark(Symbol):
    """1 where an element is the largest of some, 0 elsewhere.

    ``position``: which one of several that are equal it has to be; None where each is marked.
    """

    __slots__ = ("element", "largest", "position")

    def __init__(
        self, element: Element, largest: Largest, position: Position | None = None
    ) -> None:
        self.element, self.largest, self.position = element, largest, position


class Test(Symbol):
    """Whether a value is larger than another one (``strictly``), or equal to it."""

    __slots__ = ("is_equality", "left", "right", "strictly")

    def __init__(self, left: Value, right: Value, strictly: bool, is_equality: bool) -> None:
        self.left, self.right = left, right
        self.strictly, self.is_equality = strictly, is_equality

    @staticmethod
    def larger(left: Value, right: Value, *, strictly: bool) -> Value:
        """``left > right``."""
        return Test(left, right, strictly, is_equality=False)

    @property
    def is_never(self) -> bool:
        """Whether a number that counts as the lowest would have to be larger than data."""
        left = self.left
        return not self.is_equality and isinstance(left, int | float) and left <= LOWEST

    def __bool__(self, *_: object) -> Any:
        return False if self.is_never else depends()


def equal(left: Value, right: Value) -> Value:
    """``left == right``."""
    if isinstance(left, Symbol) or isinstance(right, Symbol):
        return Test(left, right, strictly=False, is_equality=True)
    return left == right


def largest(left: Value, right: Value) -> Value:
    """The larger one of two values. Raises NotSymbolic."""
    if not isinstance(left, Symbol) and not isinstance(right, Symbol):
        return max(left, right)
    return Largest.of(left).union(Largest.of(right))


def select(test: Test, then: Value, otherwise: Value) -> Value:
    """What a choice by data gives: a maximum, the place of one, a mark. Raises NotSymbolic."""
    if then is otherwise or _is_same(then, otherwise):
        return then
    if test.is_equality:
        return _mark(test, then, otherwise)
    if _is_same(then, test.left) and _is_same(otherwise, test.right):
        return largest(otherwise, then)
    if test.is_never:
        return otherwise
    if _is_same(then, test.right) and _is_same(otherwise, test.left):
        raise NotSymbolic("a minimum")
    if isinstance(then, int):
        return _position(test, then, otherwise)
    return depends()


def _is_same(one: Value, other: Value) -> bool:
    """Whether two values are the same element, maximum or number."""
    if one is other:
        return True
    if isinstance(one, Sum) and isinstance(other, Sum):
        return one.single is not None and one.single == other.single
    if isinstance(one, Largest) and isinstance(other, Largest):
        return one.is_same(other)
    if isinstance(one, Symbol) or isinstance(other, Symbol):
        return False
    return bool(one == other)


def _mark(test: Test, then: Value, otherwise: Value) -> Value:
    sides = (test.left, test.right)
    if (then, otherwise) != (1, 0):
        return depends()
    for found, number in (sides, sides[::-1]):
        if isinstance(found, Position) and isinstance(number, int):
            return found.marks().get(number, 0)
    element = next((s.single for s in sides if isinstance(s, Sum)), None)
    whole = next((s for s in sides if isinstance(s, Largest)), None)
    if element is None or whole is None:
        return depends()
    return Mark(element, whole)


def _position(test: Test, then: int, otherwise: Value) -> Value:
    """The place of a maximum, where the comparison has found a larger element."""
    element = test.left.single if isinstance(test.left, Sum) else None
    before = Largest.of(test.right)
    if element is None:
        return depends()
    if isinstance(otherwise, int):
        # The number that all have had until now.
        numbers = dict.fromkeys(before.ordered, otherwise)
        found = Position(numbers, None if numbers else otherwise, None)
    elif isinstance(otherwise, Position) and otherwise.numbers.keys() == before.elements:
        found = otherwise
    else:
        return depends()
    is_last = not test.strictly
    if found.is_last not in (None, is_last):
        return depends()
    numbers = dict(found.numbers)
    if is_last:
        numbers.pop(element, None)
    numbers.setdefault(element, then)
    return Position(numbers, found.otherwise, is_last)
