"""Work that may crash, hang or be interrupted, and must leave nothing behind.

The parser is a library in C++, and a build or a series of tests must outlive whatever it does with
an input; and a process that is asked to end removes its temporary files first. The child never
outlives its parent, however that ends.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn, TypeVar

from s2s.source.call_stack import with_room
from s2s.source.diagnostics import InternalError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from types import FrameType

T = TypeVar("T")

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PR_SET_PDEATHSIG = 1
_LOOKING_AFTER_PARENT = 0.5


@dataclass(frozen=True)
class Limit:
    """How long work may take, in seconds of processor time.

    A machine with much else to do makes it take longer, so the clock on the wall counts only for
    work that waits: ``wall`` seconds in all, and none of processor time in the last ``idle`` ones.
    """

    processor: int = 120
    idle: float = 60.0

    @property
    def wall(self) -> float:
        return 60.0 + 10.0 * self.processor


class OutOfTimeError(InternalError):
    """The work took more than its limit; the text says which and how to raise it."""


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


@contextmanager
def held_back() -> Iterator[None]:
    """Signals that ``clean_end`` turns are raised after the block, when all it starts is known."""
    arrived: list[int] = []
    previous = {}
    with suppress(ValueError):
        for number in _ENDING:
            if callable(signal.getsignal(number)):
                previous[number] = signal.signal(number, lambda n, frame: arrived.append(n))
    try:
        yield
    finally:
        for number, action in previous.items():
            signal.signal(number, action)
    if arrived:
        os.kill(os.getpid(), arrived[0])


def in_child(work: Callable[[], T], limit: Limit | None = None) -> T | None:
    """The value of ``work``, computed in a silent child process; None if that fails.

    Raises OutOfTimeError where it takes longer than ``limit``.
    """
    import pickle

    limit = limit or Limit()
    try:
        reader, writer = os.pipe()
        child = fork(lambda: _work_and_exit(work, writer, limit))
    except OSError:
        return None
    os.close(writer)
    try:
        answer = _read_all(reader, child, limit)
    finally:
        os.close(reader)
        os.kill(child, signal.SIGKILL)
        ended = os.waitpid(child, 0)[1]
    if answer is None:
        raise OutOfTimeError(_given_up(f"{limit.wall:g} s"))
    if os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGXCPU:
        raise OutOfTimeError(_given_up(f"{limit.processor} s of processor time"))
    try:
        value: T | None = pickle.loads(answer) if answer else None
    except Exception:
        return None
    return value


def _given_up(passed: str) -> str:
    return f"given up after {passed}; '--time-limit SECONDS' allows for more"


def fork(work: Callable[[], NoReturn]) -> int:
    """A child that does ``work``; no signal reaches it before it handles them in its own way."""
    parent = os.getpid()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        child = os.fork()
        if not child:
            try:
                for number in _ENDING:
                    signal.signal(number, signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
                _end_with(parent)
                work()
            finally:
                os._exit(1)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    return child


def _end_with(parent: int) -> None:
    """Let this process end when its parent does: the kernel sees to it, or else a thread."""
    if not _kernel_ends_orphans():
        import threading

        threading.Thread(target=_look_after, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        os._exit(1)


def _kernel_ends_orphans() -> bool:
    import ctypes
    import sys

    if not sys.platform.startswith("linux"):
        return False
    try:
        library = ctypes.CDLL(None)
        return bool(library.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def _look_after(parent: int) -> None:
    import time

    while os.getppid() == parent:
        time.sleep(_LOOKING_AFTER_PARENT)
    os.kill(os.getpid(), signal.SIGKILL)


def _work_and_exit(work: Callable[[], object], writer: int, limit: Limit) -> NoReturn:
    import pickle

    try:
        _limit_resources(limit)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        answer = pickle.dumps(with_room(work))
        with os.fdopen(writer, "wb") as stream:
            stream.write(answer)
    finally:
        os._exit(0)


def _limit_resources(limit: Limit) -> None:
    """Processor time is the kernel's to count; what is ended by it leaves no memory image."""
    import resource

    for kind, wanted in ((resource.RLIMIT_CPU, limit.processor), (resource.RLIMIT_CORE, 0)):
        allowed = [value for value in resource.getrlimit(kind) if value != resource.RLIM_INFINITY]
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (min([wanted, *allowed]), hard))


def _read_all(reader: int, child: int, limit: Limit) -> bytes | None:
    """All that comes through a pipe until its end; None if that takes too long."""
    import select
    import time

    begun, spent = time.monotonic(), -1
    waited = max(0.0, limit.wall - limit.idle)
    pieces: list[bytes] = []
    ready = select.poll()  # which takes any number of a file; select stops at 1024
    ready.register(reader, select.POLLIN)
    while True:
        left = max(0.0, begun + waited - time.monotonic())
        if ready.poll(1000 * left):
            piece = os.read(reader, 1 << 20)
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)
        else:
            before, spent = spent, _spent(child)
            if spent == before:
                return None
            waited += limit.idle


def _spent(process: int) -> int:
    """The processor time of a process and of those it waited for, where the system tells it."""
    try:
        with open(f"/proc/{process}/stat", "rb") as stream:
            fields = stream.read().rpartition(b")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15]))
