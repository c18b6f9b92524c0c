"""The compiler at work on the user's own text while it is found out whether that text changes.

Most texts stay, and then a build has waited for the compiler alone. What it says is held back
until that is known; where the text changes it is ended, and all that it wrote is written again.
Where a terminal is to show what the compiler says, nothing is begun: it would show it late, and
without colours.

What changes nothing in a build is not loaded for it, so this imports next to nothing.
"""

from __future__ import annotations

import os
from _signal import (  # type: ignore[import-not-found]
    SIG_BLOCK,
    SIG_DFL,
    SIG_IGN,
    SIG_SETMASK,
    SIGCHLD,
    SIGHUP,
    SIGINT,
    SIGPIPE,
    SIGTERM,
    SIGXFSZ,
    getsignal,
    pthread_sigmask,
)
from _signal import signal as set_handler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

_ENDING = (SIGINT, SIGTERM, SIGHUP)
# Words of commands that write more than objects and lists of what these depend on, or that other
# processes write to or read from.
_MORE = (
    "@", "-save-temps", "-fdump", "-dump", "-ftime-trace", "-flto", "-fcallgraph", "-foptimization",
    "-fsave-opt", "-Wp,", "-aux", "-B", "-wrapper", "-fplugin", "-fprofile", "--coverage",
)  # fmt: skip


def can_be_repeated(command: Sequence[str]) -> bool:
    """Whether a command compiles to an object that the same one writes again."""
    if "-c" not in command or any(word.startswith(_MORE) for word in command):
        return False
    named = [w[2:] for w in command if w.startswith("-o") and len(w) > 2]
    named += [command[at + 1] for at, w in enumerate(command[:-1]) if w == "-o"]
    return not any(
        name == "-" or (os.path.exists(name) and not os.path.isfile(name)) for name in named
    )


class Meanwhile:
    """A compiler that may be at work; ``child`` is its number, 0 for none."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self.child = 0
        self._said: list[int] = []
        self._handlers: dict[int, object] = {}

    def begin(self) -> None:
        """Let the compiler begin, where it can be ended again."""
        alone = getsignal(SIGCHLD) == SIG_IGN  # nobody would tell us how it ended
        if self.child or alone or _is_seen() or not can_be_repeated(self.command):
            return
        for number in _ENDING:
            if getsignal(number) != SIG_IGN:
                self._handlers[number] = set_handler(number, self._end_with)
        before = pthread_sigmask(SIG_BLOCK, _ENDING)  # until it is known whom to end
        try:
            self._said = [os.memfd_create("said") for _ in range(2)]
            actions = [(os.POSIX_SPAWN_DUP2, f, to) for to, f in enumerate(self._said, start=1)]
            self.child = os.posix_spawnp(
                self.command[0], self.command, os.environ, file_actions=actions,
                setpgroup=0, setsigmask=before, setsigdef=(SIGPIPE, SIGXFSZ),
            )  # fmt: skip
        except OSError:
            self._forget()  # the long way says why
        finally:
            pthread_sigmask(SIG_SETMASK, before)

    def stop(self) -> None:
        """End the compiler, if it is at work, and forget what it said."""
        if self.child:
            os.killpg(self.child, SIGTERM)  # with all that it started; it removes what it began
            os.waitpid(self.child, 0)
        self._forget()

    def take_place(self) -> NoReturn:
        """Wait for the compiler, say what it said, and end as it did."""
        _, status = os.waitpid(self.child, 0)
        self.child = 0
        set_handler(SIGPIPE, SIG_DFL)
        for to, said in enumerate(self._said, start=1):
            _pass_on(said, to)
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            _leave_no_image()
            if number not in (9, 19):  # the system's own
                set_handler(number, SIG_DFL)
            os.kill(os.getpid(), number)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)

    def _end_with(self, number: int, frame: object) -> None:
        self.stop()
        set_handler(number, SIG_DFL)
        os.kill(os.getpid(), number)

    def _forget(self) -> None:
        self.child = 0
        for said in self._said:
            os.close(said)
        self._said = []
        for number, handler in self._handlers.items():
            set_handler(number, handler)
        self._handlers = {}


def _is_seen() -> bool:
    """Whether a terminal shows what the compiler says."""
    return os.isatty(1) or os.isatty(2)


def _pass_on(said: int, to: int) -> None:
    """Write what was said to a stream of our own, if there is one."""
    os.lseek(said, 0, os.SEEK_SET)
    try:
        while text := os.read(said, 1 << 16):
            while text:
                text = text[os.write(to, text) :]
    except OSError:
        return  # as if the compiler had found it closed


def _leave_no_image() -> None:
    """The compiler has left an image of its memory where that is wanted."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
