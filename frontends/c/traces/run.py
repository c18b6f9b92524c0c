"""What a function does to memory while it runs on symbols: loads, stores, loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from s2s.frontends.c.traces.watch import Fill, Watch
from s2s.scop.expressions import Type
from s2s.scop.symbol_arithmetic import divide
from s2s.scop.symbols import (
    Element,
    NotSymbolic,
    Position,
    Product,
    Sum,
    Symbol,
    Test,
    Value,
    equal,
    largest,
    select,
)
from s2s.source.records import dataclass

Pointer = tuple[str, int]
"""An array and the place in it, counted in elements."""
ITERATIONS = 60_000
"""Iterations of all loops together, after which some are left out, or a function is given up."""


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
    _fills: list[Fill] = field(default_factory=list)
    _watches: list[Watch] = field(default_factory=list)

    # ---- memory

    def load(self, pointer: Pointer, index: int) -> Value:
        place = (pointer[0], pointer[1] + index)
        found = self.stored.get(place)
        if found is not None:
            return found
        element = self.loaded.get(place)
        if element is None:
            _check(place)
            for fill in reversed(self._fills):
                if fill.has(place):
                    return fill.value
            if place[0] not in self.types:
                raise NotSymbolic(f"'{_name(place)}' is read where nothing has been stored")
            element = self.loaded[place] = Sum.element(place)
        return element

    def store(self, pointer: Pointer, index: int, value: Value) -> Value:
        where: Value = pointer[1] + index
        if where.__class__ is Position and value.__class__ in (int, float) and value == 1:
            return self._mark(pointer[0], where)
        place = (pointer[0], where)
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
        elif self._watches and not isinstance(value, Symbol):
            self._watches[-1].log.append(Fill(place[0], place[1], value))
        self.stored[place] = value
        return value

    def _mark(self, array: str, where: Position) -> Value:
        """A mark is set for the element that has a maximum; those of others have to be 0."""
        for place, mark in where.marks().items():
            if self.load((array, 0), place) != 0:
                _check((array, where))
            self.store((array, 0), place, mark)
        return 1

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
        count = size // width
        whole = Fill(pointer[0], pointer[1], 0, ((1, count),))
        for place in [p for p in self.stored if whole.has(p)]:
            del self.stored[place]
        self._fills.append(whole)
        for index in {0, count - 1} if count else ():
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
        watch = Watch(test)
        self._watches.append(watch)
        return watch

    def fill_ahead(self, watch: Watch) -> None:
        """What iterations that are left out store to memory."""
        for fill in watch.fills:
            for place in [p for p in self.stored if fill.has(p)]:
                del self.stored[place]
            self._fills.append(fill)

    def leave(self, name: str, iterations: int, watch: Watch | None) -> None:
        """A loop has ended; the one around it may store the same again elsewhere."""
        self.active.pop(name, None)
        if watch is not None:
            del self._watches[self._watches.index(watch) :]
            if self._watches:
                self._watches[-1].log += watch.fills or watch.log
        self.extents[name] = max(self.extents.get(name, 0), iterations)

    def stop(self) -> None:
        raise TooLong


def _check(place: tuple[str, Value]) -> None:
    if place[1].__class__ is not int:
        raise NotSymbolic(f"which element of '{_name(place)}' it is depends on data")


def _name(place: tuple[str, Value]) -> str:
    return place[0].split("#")[0]


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
