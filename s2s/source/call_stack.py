"""Room for Python's frames in one piece of memory.

CPython 3.11 and later keep frames in pieces of 16 KiB. Where calls happen to begin at the end of a
piece, each of them asks the system for the next piece and gives it back when it returns: 5
microseconds a call, a tenth of the time for some files. A frame that is larger than a piece gets a
piece of twice its size at least, whose other half is for all calls that it makes.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TypeVar, cast

T = TypeVar("T")

# Half a megabyte of words, which the system gives when they are written.
_WORDS = 1 << 16


def _call(work: Callable[[], object]) -> object:
    return work()


_call_with_room = FunctionType(_call.__code__.replace(co_stacksize=_WORDS), globals())


def with_room(work: Callable[[], T]) -> T:
    """The value of ``work``, whose calls find room for their frames."""
    return cast("T", _call_with_room(work))
