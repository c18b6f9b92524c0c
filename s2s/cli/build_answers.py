"""What the server of a build answers to who asks about a command, by itself or in a copy of it."""

from __future__ import annotations

import marshal
import os
import struct
import sys
from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING

from s2s.cli.preloading import PARSER
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import _socket

    from s2s.cli.cc_units import Result
    from s2s.driver.child import Limit

_LARGE = 500_000
"""Bytes of sources that would keep the others waiting."""


class NotLoadedError(BaseException):
    """Raised in a copy that needs modules which the server has not loaded."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@dataclass
class Wanting:
    """Finds no modules, but raises NotLoadedError for those that the server is to load."""

    names: frozenset[str]

    def find_spec(self, name: str, *_: object) -> None:
        """Nothing. Raises NotLoadedError."""
        if name in self.names:
            raise NotLoadedError(name)


@dataclass
class Job:
    """A command that somebody asks about, and the copy at work; ``report`` is what it learned.

    ``looked``: the words of its sources do not tell what becomes of them.
    """

    connection: _socket.socket
    request: bytes
    looked: bool = False
    worker: int = 0
    reader: int = -1
    report: list[bytes] = field(default_factory=list)


def peer(connection: _socket.socket) -> tuple[int, int, int]:
    """Process, user and group at the other end. Raises OSError."""
    import _socket

    size = struct.calcsize("3i")
    pid, user, group = struct.unpack(
        "3i", connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, size)
    )
    return pid, user, group


def _stand_where(connection: _socket.socket, folder: str, environment: dict[str, str]) -> None:
    """Read the files and variables that the process that asks would. Raises OSError, ValueError."""
    if environment != dict(os.environ):
        os.environ.clear()
        os.environ.update(environment)
    os.chdir(folder)
    here, there = os.stat("."), os.stat(f"/proc/{peer(connection)[0]}/cwd")
    if (here.st_dev, here.st_ino) != (there.st_dev, there.st_ino):
        raise OSError


def _be_limited_as(pid: int) -> None:
    """Take over the limits of a process. Raises OSError, ValueError."""
    import resource

    for name in ("AS", "CPU", "DATA", "FSIZE", "NOFILE", "STACK"):
        kind = getattr(resource, f"RLIMIT_{name}")
        limits = resource.prlimit(pid, kind)
        if limits != resource.getrlimit(kind):
            resource.setrlimit(kind, limits)
    os.sched_setaffinity(0, os.sched_getaffinity(pid))


def told_at_once(job: Job) -> bytes | None:
    """What the words of a command's sources tell; None where a copy is to find out."""
    from s2s.cli.cc_logs import Logs
    from s2s.cli.cc_settings import read_settings
    from s2s.cli.cc_units import find_sources, told_by_words, why_left_alone
    from s2s.cli.config_files import candidates
    from s2s.cli.remembered import NOTHING, first_folder, split
    from s2s.driver.looks import read_ahead
    from s2s.source.compiler import command_line

    try:
        argv, folder, environment, place = marshal.loads(job.request)
        own, command = split(argv)
        _stand_where(job.connection, folder, environment)
        if own or any(True for _ in candidates(first_folder(command))):
            return None
        line, logs = command_line(command), Logs(tuple(command))
        sources = find_sources(line)
        if not sources:
            return NOTHING
        large = sum(os.path.getsize(source.path) for source in sources) > _LARGE
        if large or logs.wanted or why_left_alone(line):
            return None
        told = told_by_words(line, sources, read_settings((), command), logs, place)
        if told is None:
            job.looked = True
            for source in sources:
                read_ahead(source.path, line.flags_for(source))
        return told
    except (Exception, SystemExit):
        return None  # a copy says what is wrong
    finally:
        os.chdir("/")


def answer(job: Job, learned: list[str], wanting: Wanting) -> bytes | None:
    """What is remembered of a command, found out; None where it has to find out by itself.

    Raises NotLoadedError.
    """
    from s2s.cli.cc_logs import Logs
    from s2s.cli.cc_settings import read_settings
    from s2s.cli.cc_units import find_sources, make, why_left_alone
    from s2s.cli.remembered import NOTHING, split
    from s2s.cli.twins import find_twin, shared
    from s2s.driver.child import in_child
    from s2s.source.compiler import command_line

    argv, folder, environment, place = marshal.loads(job.request)
    _stand_where(job.connection, folder, environment)
    _be_limited_as(peer(job.connection)[0])
    own, command = split(argv)
    settings = read_settings(own, command)
    if settings.tuning is not None or settings.probe:
        return None  # measured beside others, and never remembered
    line, logs = command_line(command), Logs(tuple(command))
    sources = find_sources(line)
    if not sources:
        return NOTHING
    if why_left_alone(line):
        return NOTHING if line.is_known_compiler and not logs.wanted else None

    def run(work: Callable[[], list[Result]], limit: Limit) -> list[Result] | None:
        wanting.find_spec(PARSER)
        found = in_child(lambda: _with_modules(work, wanting), limit)
        if isinstance(found, str):
            raise NotLoadedError(found)
        if found is None:
            return None
        learned.extend(name for name in found[1] if name not in sys.modules)
        return found[0]

    twin = "" if logs.wanted else find_twin(argv)

    def find_out() -> bytes | None:
        return make(line, sources, settings, logs, place, run=run, looked=job.looked)[1]

    return shared(place, twin, find_out)


def _with_modules(
    work: Callable[[], list[Result]], wanting: Wanting
) -> tuple[list[Result], list[str]] | str:
    """What work gives, and all modules that are loaded then; the name of one that it lacks."""
    sys.meta_path.insert(0, wanting)
    try:
        return work(), list(sys.modules)
    except NotLoadedError as wanted:
        return wanted.name
