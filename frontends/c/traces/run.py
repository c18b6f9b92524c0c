"""What a function does to memory while it runs on symbols: loads, stores, loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from s2s.scop.expressions import Type
from s2s.scop.symbols import (
    Element,
    NotSymbolic,
    Product,
    Sum,
    Symbol,
    Test,
    Value,
    divide,
    equal,
    largest,
    select,
)

Pointer = tuple[str, int]
"""An array and the place in it, counted in elements."""
ITERATIONS = 60_000
"""Iterations of all loops together, after which some are left out, or a function is given up."""
FIRST, FEWEST = 3, 8
"""Iterations of a loop that run before any are left out, and how many a loop has at least then."""


class TooLong(Exception):
    """A run that takes more iterations than it may."""


@dataclass
class Run:
    """The memory of one run; loops less than ``sampled`` deep run some of their iterations only.

    ``types`` are those of arrays of the caller. ``at`` is the number of the statement that runs.
    """

    types: Mapping[str, Type]
    sampled: int = 0
    at: int = -1
    left: int = ITERATIONS
    stored: dict[Element, Value] = field(default_factory=dict)
    origins: dict[Product, dict[str, int]] = field(default_factory=dict)
    extents: dict[str, int] = field(default_factory=dict)
    active: dict[str, int] = field(default_factory=dict)
    loaded: dict[Element, Sum] = field(default_factory=dict)
    """Elements that were read before anything was stored to them."""

    # ---- memory

    def load(self, pointer: Pointer, index: int) -> Value:
        place = (pointer[0], pointer[1] + index)
        found = self.stored.get(place)
        if found is not None:
            return found
        element = self.loaded.get(place)
        if element is None:
            _check(place)
            if place[0] not in self.types:
                raise NotSymbolic(f"'{_name(place)}' is read where nothing has been stored")
            element = self.loaded[place] = Sum.element(place)
        return element

    def store(self, pointer: Pointer, index: int, value: Value) -> Value:
        place = (pointer[0], pointer[1] + index)
        _check(place)
        if value.__class__ is bool:
            value = int(value)
        elif value.__class__ is Test:
            value = select(value, 1, 0)
        if place[0] in self.types and isinstance(value, Symbol):
            self._keep_origin((place,))
            if value.__class__ is Sum:
                for product in value.added_to(self.stored.get(place)):
                    self._keep_origin(product)
        self.stored[place] = value
        return value

    def _keep_origin(self, product: Product) -> None:
        """The iterations in which something comes are those that all its stores have in common."""
        known = self.origins.get(product)
        if known is None:
            self.origins[product] = dict(self.active)
        elif known != self.active:
            for name in [n for n, k in known.items() if self.active.get(n) != k]:
                del known[name]

    def fill(self, pointer: Pointer, value: int, size: int, width: int) -> Pointer:
        """``memset`` of ``size`` bytes, elements of ``width`` bytes. Raises NotSymbolic."""
        if value:
            raise NotSymbolic("memory is filled with something else than zeros")
        for index in range(size // width):
            self.store(pointer, index, 0)
        return pointer

    def copy(self, to: Pointer, source: Pointer, size: int, width: int) -> Pointer:
        """``memcpy`` of ``size`` bytes."""
        for index in range(size // width):
            self.store(to, index, self.load(source, index))
        return to

    # ---- loops

    def enter(self, name: str, test: Callable[..., bool] | None) -> Watch | None:
        """A loop begins; what leaves iterations of it out, if that is wanted."""
        if test is None or len(self.active) >= self.sampled:
            return None
        return Watch(test)

    def leave(self, name: str, iterations: int) -> None:
        self.active.pop(name, None)
        self.extents[name] = max(self.extents.get(name, 0), iterations)

    def stop(self) -> None:
        raise TooLong


def _check(place: Element) -> None:
    if place[1].__class__ is not int:
        raise NotSymbolic(f"which element of '{_name(place)}' it is depends on data")


def _name(place: Element) -> str:
    return place[0].split("#")[0]


@dataclass
class Watch:
    """Leaves out iterations of a loop in which its variables go on as they do in the first ones.

    ``test`` is the loop's condition, for values of its variables.
    """

    test: Callable[..., bool]
    _heads: list[tuple[Any, ...]] = field(default_factory=list)
    _deltas: tuple[Any, ...] | None = None
    _jumps: dict[int, int] = field(default_factory=dict)

    def jump(self, number: int, values: tuple[Any, ...]) -> tuple[int, tuple[Any, ...]] | None:
        """The iteration to go on with, and the variables' values there; None for this one."""
        if number <= FIRST:
            self._heads.append(values)
            if number == FIRST:
                self._plan(number)
        target = self._jumps.get(number)
        if target is None or self._deltas is None:
            return None
        return target, _moved(values, self._deltas, target - number)

    def _plan(self, number: int) -> None:
        *_, first, second, third = self._heads
        deltas = _deltas(second, third)
        if deltas is None or deltas != _deltas(first, second):
            return
        last = 1
        while self.test(*_moved(third, deltas, 2 * last)):
            last *= 2
            if last > 1 << 24:
                return
        step = last
        while step:
            if self.test(*_moved(third, deltas, last + step)):
                last += step
            step //= 2
        last += number
        middle = (number + last) // 2
        if last - number >= FEWEST:
            self._deltas = deltas
            self._jumps = {number: middle, middle + 2: last - 1}


def _deltas(before: tuple[Any, ...], after: tuple[Any, ...]) -> tuple[Any, ...] | None:
    found: list[Any] = []
    for old, new in zip(before, after, strict=True):
        if old.__class__ is int and new.__class__ is int:
            found.append(new - old)
        elif old.__class__ is tuple and new.__class__ is tuple and old[0] == new[0]:
            found.append((new[1] - old[1],))
        elif old is new or (old.__class__ is float and old == new):
            found.append(None)
        else:
            return None
    return tuple(found)


def _moved(values: tuple[Any, ...], deltas: tuple[Any, ...], times: int) -> tuple[Any, ...]:
    found = []
    for value, delta in zip(values, deltas, strict=True):
        if delta.__class__ is int:
            value = value + delta * times
        elif delta is not None:
            value = (value[0], value[1] + delta[0] * times)
        found.append(value)
    return tuple(found)


# ---- what the text of a function calls


def move(pointer: Pointer, elements: int) -> Pointer:
    return pointer[0], pointer[1] + elements


def distance(one: Pointer, other: Pointer, size: int) -> int:
    """Elements of ``size`` between two pointers. Raises NotSymbolic."""
    if one[0] != other[0]:
        raise NotSymbolic("a difference of pointers to two arrays")
    return (one[1] - other[1]) // size


def truth(value: Value) -> Value:
    """A number as a truth value."""
    return value if isinstance(value, Test) else int(bool(value))


def negated(value: Value) -> int:
    return int(not value)


def smallest(left: Value, right: Value) -> Value:
    if isinstance(left, Symbol) or isinstance(right, Symbol):
        raise NotSymbolic("a minimum")
    return min(left, right)


def quotient(left: Value, right: Value) -> Value:
    return divide(left, right, integers=True)


def remainder(left: int, right: int) -> int:
    return left - right * int(quotient(left, right)) if right else 0


def fraction(left: Value, right: Value) -> Value:
    return divide(left, right, integers=False)


def absolute(value: Value) -> Value:
    if isinstance(value, Symbol):
        raise NotSymbolic("a function of data")
    return abs(value)


LIBRARY: Mapping[str, Any] = {
    "Test": Test, "move": move, "distance": distance, "truth": truth, "negated": negated,
    "smallest": smallest, "largest": largest, "quotient": quotient, "remainder": remainder,
    "fraction": fraction, "absolute": absolute, "equal": equal, "select": select,
}  # fmt: skip
"""Names that the text of a function uses."""
