"""Work in this process that must end: after some processor time it is given up."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from s2s.source.diagnostics import Diagnostic, Severity, UserError

if TYPE_CHECKING:
    from types import FrameType


@contextmanager
def limited(seconds: int, name: str) -> Iterator[None]:
    """Raise UserError about ``name`` when the block takes more processor time than that, or where
    its text is nested so deeply that Python's stack ends.

    The limit is one of the kernel's, so programs that the block starts have it, too. For the main
    thread of a process.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    ends = int(usage.ru_utime + usage.ru_stime) + seconds
    lower = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]

    def give_up(number: int, frame: FrameType | None) -> NoReturn:
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        raise out_of_time(seconds, name)

    previous = signal.signal(signal.SIGXCPU, give_up)
    resource.setrlimit(resource.RLIMIT_CPU, (min([ends, *lower]), hard))
    try:
        yield
    except RecursionError as error:
        text = f"{name}: nested too deeply to be read"
        raise UserError(Diagnostic(Severity.ERROR, text, "input")) from error
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
        signal.signal(signal.SIGXCPU, previous)


def out_of_time(seconds: int, name: str) -> UserError:
    """What to raise where a limit has ended a program."""
    text = f"{name}: given up after {seconds} s of processor time; '--time-limit' allows for more"
    return UserError(Diagnostic(Severity.ERROR, text, "time"))
