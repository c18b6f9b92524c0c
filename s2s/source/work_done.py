"""How much of some work is done: told by who does it, perhaps in another process, asked elsewhere.

Nothing is told unless somebody follows, so telling costs nothing.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from mmap import mmap

_PARTS = struct.Struct("qq")
_memory: mmap | None = None
_descriptor: int | None = None
_depth = 0


@contextmanager
def followed() -> Iterator[Callable[[], tuple[int, int]]]:
    """While this lasts the function given tells the parts that are done, and how many there are.

    Children that are forked meanwhile count for their parent. One at a time.
    """
    from tempfile import TemporaryFile  # loads much, and only terminals ask

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
    if _descriptor is None or _depth:
        return ()
    begin(parts)
    return (_descriptor,)


@contextmanager
def counted(parts: int) -> Iterator[None]:
    """Work of so many parts: within it ``advance`` counts them, and ``begin`` has no effect.

    Within work that is counted so itself, neither has this, nor does it count anything.
    """
    global _depth
    begin(parts)
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1


def begin(parts: int) -> None:
    """The work has so many parts, none of them done yet."""
    if _memory is not None and not _depth:
        _PARTS.pack_into(_memory, 0, 0, parts)


def advance(parts: int = 1, *, inside: bool = False) -> None:
    """So many more parts are done; ``inside``: parts of work that ``counted`` may be around."""
    if _memory is not None and _depth <= (not inside):
        done, every = _PARTS.unpack_from(_memory)
        _PARTS.pack_into(_memory, 0, done + parts, every)
