"""How far work is, on a terminal, where it takes longer than two seconds; nothing in a pipe."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING

from s2s.source import work_done

if TYPE_CHECKING:
    from rich.progress import Progress as Drawn
    from rich.progress import ProgressColumn

DELAY = 2.0
"""Seconds of work before anything is drawn."""
_EVERY = 0.2
"""Seconds between two looks at how far work is."""


class Progress:
    """A line with what is being done, how much of it, and the time that is left.

    ``total`` is the number of steps. With one step the parts that it tells of itself
    (``s2s.source.work_done``) give the time that is left. Without any there is only the time that
    has passed, and the seconds of processor time after which the work is given up (``at_most``):
    how long a program runs that nothing is known of cannot be told before. The line is on standard
    error, goes when the work ends, and is drawn by ``rich``, which minds NO_COLOR and the
    terminal's width.
    """

    def __init__(
        self, doing: str, total: int = 1, *, wanted: bool | None = None, at_most: int = 0
    ) -> None:
        self._doing, self._total, self._done, self._at_most = doing, total, 0, at_most
        self._wanted = is_terminal() if wanted is None else wanted
        self._lock = threading.Lock()
        self._drawn: Drawn | None = None
        self._parts: Callable[[], tuple[int, int]] | None = None
        self._followed = ExitStack()
        self._timer: threading.Timer | None = None
        self._ended = False

    def __enter__(self) -> Progress:
        if self._wanted:
            if self._total == 1:
                self._parts = self._followed.enter_context(work_done.followed())
            self._timer = threading.Timer(DELAY, self._draw)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._ended = True
            if self._drawn is not None:
                self._drawn.stop()
        self._followed.close()

    def step(self, doing: str = "") -> None:
        """One more step is done; ``doing`` is what comes next."""
        with self._lock:
            self._done += self._parts is None  # else the parts are counted
            self._doing = doing or self._doing
            self._update()

    def doing(self, what: str) -> None:
        """What is being done now."""
        with self._lock:
            self._doing = what
            self._update()

    def _update(self) -> None:
        if self._drawn is not None:
            task = self._drawn.task_ids[0]
            self._drawn.update(task, description=self._doing, completed=self._done)

    def _draw(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        with self._lock:
            if self._ended:
                return
            columns = _columns(self._at_most, many=self._total > 1)
            self._drawn = Progress(*columns, console=Console(stderr=True), transient=True)
            self._drawn.add_task(self._doing, total=self._total, completed=self._done)
            self._drawn.start()
        if self._parts is not None:
            self._follow(self._parts)

    def _follow(self, parts: Callable[[], tuple[int, int]]) -> None:
        """Draw what the work tells of itself, in the timer's thread, until it ends."""
        while True:
            with self._lock:
                if self._ended or self._drawn is None:
                    return
                self._done, total = parts()
                if total > 1:
                    self._drawn.columns = _columns(0, many=True)
                    self._drawn.update(self._drawn.task_ids[0], total=total)
                    self._update()
            time.sleep(_EVERY)


def _columns(at_most: int, *, many: bool) -> tuple[ProgressColumn, ...]:
    """What is done, and how much of it is or how long it has taken."""
    from rich import progress as rich

    text = rich.TextColumn("{task.description}", markup=False)
    if not many:
        end = rich.TextColumn(f"of at most {at_most} s of processor time" if at_most else "")
        return rich.SpinnerColumn(), text, rich.TimeElapsedColumn(), end
    bar = rich.BarColumn(bar_width=20)
    return text, bar, rich.MofNCompleteColumn(), rich.TimeRemainingColumn()


def is_terminal() -> bool:
    """Whether somebody looks at standard error."""
    return sys.stderr is not None and sys.stderr.isatty()
