"""The server of a build: it has s2s loaded, and a copy of it finds out about each command.

It never parses or transforms anything itself, so no command leaves traces for the next; all that it
learns of one is which modules were needed, and loads them, too. A copy ends with the command that
asked. What the words of sources tell it reads by itself: that takes less time than a copy, and most
headers have been read for another source.
"""

from __future__ import annotations

import fcntl
import gc
import marshal
import os
import select
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from s2s.cli.ask_server import ACCEPTED, KNOWN, UNKNOWN, path_in, search_path
from s2s.cli.build_answers import Job, NotLoadedError, Wanting, answer, peer, told_at_once
from s2s.cli.ending import COLLECT_AFTER
from s2s.cli.preloading import TOGETHER, load, load_together
from s2s.source.call_stack import with_room

if TYPE_CHECKING:
    import _socket

_IDLE = 15.0
"""Seconds after which a server that nobody asks ends."""

_PATIENCE = 5.0
"""Seconds in which a command has to say all that it asks."""

_OLD = 24 * 3600.0
"""Seconds after which files of other servers are said to be left over."""

_AGAIN = "again"
_FIRST = (
    "s2s.cli.cc_units", "s2s.cli.cc_settings", "s2s.cli.cc_logs", "s2s.driver.looks",
    "s2s.cli.twins",
)  # fmt: skip
_OURS = ("s2s", "islpy", "clang")


def serve(folder: int, name: str, ready: int) -> None:
    """Answer whoever asks at the socket ``name`` in an open folder, until nobody does.

    Says through the pipe ``ready`` when one can be asked, also where another server is there.
    """
    _let_go_of_all_but(folder, ready)
    try:
        lock = _locked(folder, f"{name}.lock")
    except BlockingIOError:
        os.write(ready, ACCEPTED)
        return
    import _socket

    _remove(folder, name)
    listener = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    listener.bind(path_in(folder, name))
    listener.listen(128)
    os.write(ready, ACCEPTED)
    os.close(ready)
    sys.path[:] = search_path()
    os.chdir("/")
    try:
        gc.set_threshold(*COLLECT_AFTER)
        _remove_old(folder)
        load(_FIRST)
        with_room(_Server(listener, (lock, folder)).run)
    finally:
        _remove(folder, name)
        _remove(folder, f"{name}.lock")


def _locked(folder: int, name: str) -> int:
    """A file that is locked by this process alone; it is open for as long as the server lives.

    Raises BlockingIOError where another has it, OSError where nobody knows, as on some networks.
    """
    lock = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=folder)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    ours, there = os.fstat(lock), os.stat(name, dir_fd=folder)
    if ours.st_ino != there.st_ino:
        raise OSError  # another server removed it when it ended, and a third may have begun
    return lock


def _remove(folder: int, name: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)


def _remove_old(folder: int) -> None:
    """Remove what servers left that were killed: they had other names than this one has."""
    before = time.time() - _OLD
    for name in os.listdir(folder):
        with suppress(OSError):
            if os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime < before:
                os.unlink(name, dir_fd=folder)


def _let_go_of_all_but(*kept: int) -> None:
    """Close what the command has open, for which a build would wait; no signals are held back."""
    for idle in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(idle, signal.SIG_IGN)
    for asked in (signal.SIGTERM, signal.SIGCHLD):
        signal.signal(asked, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    below = 3
    for number in (*sorted(kept), os.sysconf("SC_OPEN_MAX")):
        os.closerange(below, number)
        below = number + 1


class _Server:
    """Goes through what arrives: commands, reports of copies, the ends of both."""

    def __init__(self, listener: _socket.socket, own: Sequence[int]) -> None:
        self.listener = listener
        self.own = own
        self.jobs: list[Job] = []
        self.wanting = Wanting(frozenset(TOGETHER))

    def run(self) -> None:
        poll = select.poll()
        poll.register(self.listener.fileno(), select.POLLIN)
        self.poll = poll
        while True:
            happened = poll.poll(None if self.jobs else 1000 * _IDLE)
            if not happened:
                return
            for number, _ in happened:
                if number == self.listener.fileno():
                    self._accept()
                    continue
                for job in list(self.jobs):
                    if number == job.reader:
                        self._read(job)
                    elif number == job.connection.fileno():
                        self._end(job)  # who asked is gone

    def _accept(self) -> None:
        import _socket

        try:
            number, _ = self.listener._accept()  # type: ignore[attr-defined]
            connection = _socket.socket(fileno=number)
            if peer(connection)[1] != os.geteuid():
                return
            connection.settimeout(_PATIENCE)
            request = _received(connection)
            connection.send(ACCEPTED)
            connection.settimeout(None)
        except (OSError, ValueError):
            return
        job = Job(connection, request)
        if (told := told_at_once(job)) is not None:
            with suppress(OSError):
                connection.sendall(_message(told))
            connection.close()
            return
        self.jobs.append(job)
        self._begin(job)

    def _begin(self, job: Job) -> None:
        """Let a copy find out about a command."""
        reader, writer = os.pipe()
        gc.freeze()  # what was read for others' words, too
        job.worker = os.fork()
        if not job.worker:
            try:
                self._work(job, writer)
            finally:
                os._exit(1)
        os.close(writer)
        with suppress(OSError):  # it does so, too, and may have ended
            os.setpgid(job.worker, job.worker)
        job.reader, job.report = reader, []
        self.poll.register(reader, select.POLLIN)
        self.poll.register(job.connection.fileno(), select.POLLIN)

    def _work(self, job: Job, writer: int) -> NoReturn:
        os.setpgid(0, 0)
        for number in self.own:
            os.close(number)
        for other in self.jobs:
            if other is not job:
                os.close(other.reader)
                other.connection.close()
        self.listener.close()
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        learned: list[str] = []
        try:
            told = answer(job, learned, self.wanting)
        except NotLoadedError as wanted:
            told, learned = None, [_AGAIN, wanted.name]
        except BaseException:
            told = None
        if learned[:1] != [_AGAIN]:
            with suppress(OSError):
                job.connection.sendall(_message(told))
        with os.fdopen(writer, "wb") as stream:
            stream.write(marshal.dumps(learned))
        os._exit(0)

    def _read(self, job: Job) -> None:
        """Take what a copy reports; at its end, the answer is on its way."""
        if piece := os.read(job.reader, 1 << 16):
            job.report.append(piece)
            return
        learned: list[str] = []
        with suppress(EOFError, ValueError, TypeError):  # the copy was killed
            learned = marshal.loads(b"".join(job.report))
        self._reap(job)
        if learned[:1] == [_AGAIN]:
            self._load_together(learned[1])
            self._begin(job)
            return
        self._forget(job)
        load([n for n in learned if n.partition(".")[0] in (*_OURS, *sys.stdlib_module_names)])

    def _load_together(self, name: str) -> None:
        """Load what a copy wants, and never be asked for it again, whether it can be loaded."""
        self.wanting = Wanting(self.wanting.names - {name})
        load_together(name)

    def _end(self, job: Job) -> None:
        """Let a copy end with all that it started; it is ours to wait for, so the number is its."""
        os.killpg(job.worker, signal.SIGKILL)
        self._reap(job)
        self._forget(job)

    def _reap(self, job: Job) -> None:
        self.poll.unregister(job.reader)
        self.poll.unregister(job.connection.fileno())
        os.close(job.reader)
        os.waitpid(job.worker, 0)

    def _forget(self, job: Job) -> None:
        job.connection.close()
        self.jobs.remove(job)


def _message(told: bytes | None) -> bytes:
    """What is sent to who asks."""
    text = b"" if told is None else told
    return b"%s\n%d\n%s" % (UNKNOWN if told is None else KNOWN, len(text), text)


def _received(connection: _socket.socket) -> bytes:
    """A command that somebody asks about. Raises OSError, ValueError."""
    data, size = b"", -1
    while size < 0 or len(data) < size:
        piece = connection.recv(1 << 16)
        if not piece:
            raise ValueError
        data += piece
        if size < 0 and b"\n" in data:
            head, _, data = data.partition(b"\n")
            size = int(head)
    return data
