"""Functions of ``<algorithm>`` and ``<numeric>`` over what iterators are between."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from typing import Any

from s2s.frontends.halide.evaluate.containers import compared, copy_value, plain_key
from s2s.frontends.halide.evaluate.operators import binary
from s2s.frontends.halide.evaluate.syntax import Node
from s2s.frontends.halide.evaluate.values import (
    VOID,
    Number,
    Pointer,
    Slot,
    arithmetic,
    deref,
    truth,
)
from s2s.scop.errors import Illegal


def begin(interpreter: Any, node: Node, arguments: list[Any]) -> Pointer:
    return Pointer(None, deref(arguments[0]).items, 0)


def end(interpreter: Any, node: Node, arguments: list[Any]) -> Pointer:
    items = deref(arguments[0]).items
    return Pointer(None, items, len(items))


def range_of(arguments: list[Any]) -> tuple[list[Any], int, int]:
    first, last = deref(arguments[0]), deref(arguments[1])
    if not isinstance(first, Pointer) or not isinstance(last, Pointer) or first.items is None:
        raise Illegal("an algorithm over something that is no container")
    return first.items, first.index, last.index


def sort(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    items, start, stop = range_of(arguments)
    if len(arguments) > 2:
        less = deref(arguments[2])

        def compare(a: Any, b: Any) -> int:
            if truth(interpreter.apply(less, [a, b], None)):
                return -1
            return int(truth(interpreter.apply(less, [b, a], None)))

        items[start:stop] = sorted(items[start:stop], key=cmp_to_key(compare))
    else:
        items[start:stop] = sorted(items[start:stop], key=plain_key)
    return VOID


def reverse(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    items, start, stop = range_of(arguments)
    items[start:stop] = items[start:stop][::-1]
    return VOID


def find(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    items, start, stop = range_of(arguments)
    wanted = deref(arguments[2])
    for index in range(start, stop):
        if compared("==", deref(items[index]), wanted):
            return Pointer(None, items, index)
    return deref(arguments[1])


def find_if(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    items, start, stop = range_of(arguments)
    for index in range(start, stop):
        if truth(deref(interpreter.apply(deref(arguments[2]), [Slot(items, index)], None))):
            return Pointer(None, items, index)
    return deref(arguments[1])


def quantified(any_: bool, wanted: bool) -> Callable[..., Any]:
    def function(interpreter: Any, node: Node, arguments: list[Any]) -> bool:
        items, start, stop = range_of(arguments)
        test = deref(arguments[2])
        for index in range(start, stop):
            found = truth(deref(interpreter.apply(test, [Slot(items, index)], None)))
            if found == any_:
                return wanted
        return not wanted

    return function


def fill(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    items, start, stop = range_of(arguments)
    for index in range(start, stop):
        items[index] = copy_value(deref(arguments[2]))
    return VOID


def iota(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    items, start, stop = range_of(arguments)
    value = deref(arguments[2])
    for index in range(start, stop):
        items[index] = value
        value = arithmetic("+", value, 1)
    return VOID


def accumulate(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    items, start, stop = range_of(arguments)
    total = deref(arguments[2])
    for index in range(start, stop):
        value = deref(items[index])
        if len(arguments) > 3:
            total = deref(interpreter.apply(deref(arguments[3]), [total, value], None))
        else:
            total = binary(interpreter, "+", total, value)
    return total


def element(pick: Callable[..., Any]) -> Callable[..., Any]:
    def function(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
        items, start, stop = range_of(arguments)
        if start == stop:
            return deref(arguments[1])
        return Pointer(None, items, pick(range(start, stop), key=lambda i: plain_key(items[i])))

    return function


def distance(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    _, start, stop = range_of(arguments)
    return Number(stop - start, "long")


def for_each(interpreter: Any, node: Node, arguments: list[Any]) -> Any:
    items, start, stop = range_of(arguments)
    for index in range(start, stop):
        interpreter.apply(deref(arguments[2]), [Slot(items, index)], None)
    return arguments[2]
