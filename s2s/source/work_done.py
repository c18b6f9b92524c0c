"""How much of some work is done: told by who does it, perhaps in another process, asked elsewhere.

Nothing is told unless somebody follows, so telling costs nothing.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from mmap import mmap
from tempfile import TemporaryFile

_PARTS = struct.Struct("qq")
_memory: mmap | None = None
_descriptor: int | None = None
_counted_outside = False


@contextmanager
def followed() -> Iterator[Callable[[], tuple[int, int]]]:
    """While this lasts the function given tells the parts that are done, and how many there are.

    Children that are forked meanwhile count for their parent. One at a time.
    """
    global _memory, _descriptor
    with TemporaryFile() as file:
        os.ftruncate(file.fileno(), _PARTS.size)
        with mmap(file.fileno(), _PARTS.size) as memory:
            _memory, _descriptor = memory, file.fileno()
            try:
                yield lambda: _PARTS.unpack_from(memory)
            finally:
                _memory = _descriptor = None


def begin_outside(parts: int) -> tuple[int, ...]:
    """The work has so many parts, which a program that is started counts: the file descriptor at
    whose start it writes how many are done, as 64 bits. None where nobody follows.
    """
    if _descriptor is None or _counted_outside:
        return ()
    begin(parts)
    return (_descriptor,)


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
