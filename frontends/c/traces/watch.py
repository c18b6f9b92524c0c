"""Loops of which some iterations are left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import Any

from s2s.scop.symbols import Element, Value
from s2s.source.records import dataclass

FIRST, FEWEST = 3, 8
"""Iterations of a loop that run before any are left out, and how many a loop has at least then."""


@dataclass(frozen=True)
class Fill:
    """A number that loops store: from ``first`` of ``array`` on, ``steps`` (step, iterations)."""

    array: str
    first: int
    value: Value
    steps: tuple[tuple[int, int], ...] = ()

    def has(self, place: Element) -> bool:
        """Whether it is stored there."""
        if place[0] != self.array:
            return False
        left = place[1] - self.first
        for step, count in sorted(self.steps, reverse=True):
            if step and left >= 0:
                left -= step * min(count - 1, left // step)
        return left == 0


@dataclass
class Watch:
    """Leaves out iterations of a loop in which its variables go on as they do in the first ones.

    ``test`` is the loop's condition, for values of its variables. What an iteration stores is in
    ``log``; where that are the same numbers each time, ``fills`` says what the others store.
    """

    test: Callable[..., bool]
    log: list[Fill] = field(default_factory=list)
    fills: tuple[Fill, ...] = ()
    _heads: list[tuple[Any, ...]] = field(default_factory=list)
    _logs: list[list[Fill]] = field(default_factory=list)
    _deltas: tuple[Any, ...] | None = None
    _jumps: dict[int, int] = field(default_factory=dict)

    def jump(self, number: int, values: tuple[Any, ...]) -> tuple[int, tuple[Any, ...]] | None:
        """The iteration to go on with, and the variables' values there; None for this one."""
        if number <= FIRST:
            self._heads.append(values)
            self._logs.append(self.log[:])
            self.log.clear()
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
            self.fills = tuple(_continued(self._logs[-2], self._logs[-1], last + 1))


def _continued(before: Sequence[Fill], after: Sequence[Fill], count: int) -> list[Fill]:
    """What all ``count`` iterations store, from what the second and the third one have."""
    found = []
    for one, other in zip(before, after, strict=False):
        step = other.first - one.first
        if replace(other, first=one.first) == one and step > 0:
            found.append(replace(one, first=one.first - step, steps=(*one.steps, (step, count))))
    return found if len(before) == len(after) else []


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
