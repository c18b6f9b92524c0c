"""Calls find room for their frames wherever they begin."""

import resource
import sys
from collections.abc import Callable

import pytest

from s2s.source.call_stack import with_room

_CALLS = 400
_DEPTH = 400


def test_calls_from_any_depth_ask_the_system_for_no_memory() -> None:
    with_room(lambda: _count(_DEPTH, lambda: 0))  # which may load and make something
    assert with_room(lambda: _count(_DEPTH, _faults)) < _CALLS


@pytest.mark.skipif(
    sys.implementation.name != "cpython" or sys.version_info < (3, 11),
    reason="frames are not in pieces",
)
def test_without_room_some_depth_asks_for_each_call() -> None:
    assert _count(_DEPTH, _faults) > _CALLS


def test_the_value_and_what_is_raised_come_back() -> None:
    assert with_room(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        with_room(lambda: 1 // 0)


def _count(depth: int, before: Callable[[], int]) -> int:
    """How many pages calls from all depths up to one take, counted from ``before`` on."""
    start = before()
    _call_from(depth)
    return _faults() - start


def _call_from(depth: int) -> None:
    for _ in range(_CALLS):
        _called(depth)
    if depth:
        _call_from(depth - 1)


def _called(value: int) -> int:
    return value


def _faults() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
