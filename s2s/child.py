"""Work that may crash, hang or be interrupted, and must leave nothing behind.

The parser is a library in C++, and a build or a series of tests must outlive whatever it does with
an input; and a process that is asked to end removes its temporary files first.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn, TypeVar

if TYPE_CHECKING:
    from types import FrameType

T = TypeVar("T")

TIME_LIMIT = 120.0
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class SignalledError(BaseException):
    """Raised where the process is asked to end, so that what it has begun is cleared away."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def clean_end() -> Iterator[None]:
    """Turn the signals that end a process into ``SignalledError`` within the block."""

    def handler(number: int, frame: FrameType | None) -> NoReturn:
        for other in previous:
            signal.signal(other, signal.SIG_IGN)
        raise SignalledError(number)

    previous = {}
    with suppress(ValueError):
        for number in _ENDING:
            if signal.getsignal(number) != signal.SIG_IGN:
                previous[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, action in previous.items():
            signal.signal(number, action)


def in_child(work: Callable[[], T], limit: float = TIME_LIMIT) -> T | None:
    """The value of ``work``, computed in a silent child process; None if that fails or hangs."""
    import pickle

    try:
        reader, writer = os.pipe()
        child = os.fork()
    except OSError:
        return None
    if not child:
        os.close(reader)
        _work_and_exit(work, writer)
    os.close(writer)
    try:
        answer = _read_all(reader, limit)
    finally:
        os.close(reader)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    try:
        value: T | None = pickle.loads(answer) if answer else None
    except Exception:
        return None
    return value


def _work_and_exit(work: Callable[[], object], writer: int) -> NoReturn:
    import pickle

    try:
        for number in _ENDING:
            signal.signal(number, signal.SIG_DFL)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        answer = pickle.dumps(work())
        with os.fdopen(writer, "wb") as stream:
            stream.write(answer)
    finally:
        os._exit(0)


def _read_all(reader: int, limit: float) -> bytes:
    """All that comes through a pipe until its end; nothing if that takes too long."""
    import select
    import time

    end = time.monotonic() + limit
    pieces: list[bytes] = []
    while select.select([reader], [], [], max(0.0, end - time.monotonic()))[0]:
        piece = os.read(reader, 1 << 20)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
    return b""
