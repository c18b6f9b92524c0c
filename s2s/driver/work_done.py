"""How much of some work is done: told by who does it, perhaps in a child process, asked elsewhere.

Nothing is told unless somebody follows, so telling costs nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from mmap import mmap

_PARTS = struct.Struct("qq")
_memory: mmap | None = None
_counted_outside = False


@contextmanager
def followed() -> Iterator[Callable[[], tuple[int, int]]]:
    """While this lasts the function given tells the parts that are done, and how many there are.

    Children that are forked meanwhile count for their parent. One at a time.
    """
    global _memory
    with mmap(-1, _PARTS.size) as memory:
        _memory = memory
        try:
            yield lambda: _PARTS.unpack_from(memory)
        finally:
            _memory = None


@contextmanager
def counted(parts: int) -> Iterator[None]:
    """Work of so many parts: within it ``advance`` counts them, and ``begin`` has no effect."""
    global _counted_outside
    before = _counted_outside
    begin(parts)
    _counted_outside = True
    try:
        yield
    finally:
        _counted_outside = before


def begin(parts: int) -> None:
    """The work has so many parts, none of them done yet."""
    if _memory is not None and not _counted_outside:
        _PARTS.pack_into(_memory, 0, 0, parts)


def advance(parts: int = 1, *, inside: bool = False) -> None:
    """So many more parts are done; ``inside``: parts of work that ``counted`` may be around."""
    if _memory is not None and not (inside and _counted_outside):
        done, every = _PARTS.unpack_from(_memory)
        _PARTS.pack_into(_memory, 0, done + parts, every)
