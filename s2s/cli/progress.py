"""How far work is, on a terminal, where it takes longer than two seconds; nothing in a pipe."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Drawn

DELAY = 2.0
"""Seconds of work before anything is drawn."""


class Progress:
    """A line with what is being done, how much of it, and the time that is left.

    ``total`` is the number of steps; with one there is only the time that has passed. The line is
    on standard error, goes when the work ends, and is drawn by ``rich``, which minds NO_COLOR and
    the terminal's width.
    """

    def __init__(self, doing: str, total: int = 1, *, wanted: bool | None = None) -> None:
        self._doing, self._total, self._done = doing, total, 0
        self._wanted = is_terminal() if wanted is None else wanted
        self._lock = threading.Lock()
        self._drawn: Drawn | None = None
        self._timer: threading.Timer | None = None
        self._ended = False

    def __enter__(self) -> Progress:
        if self._wanted:
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

    def step(self, doing: str = "") -> None:
        """One more step is done; ``doing`` is what comes next."""
        with self._lock:
            self._done += 1
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
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        text = TextColumn("{task.description}", markup=False)
        many = (BarColumn(bar_width=20), MofNCompleteColumn(), TimeRemainingColumn())
        columns = (text, *many) if self._total > 1 else (SpinnerColumn(), text, TimeElapsedColumn())
        with self._lock:
            if self._ended:
                return
            self._drawn = Progress(*columns, console=Console(stderr=True), transient=True)
            self._drawn.add_task(self._doing, total=self._total, completed=self._done)
            self._drawn.start()


def is_terminal() -> bool:
    """Whether somebody looks at standard error."""
    return sys.stderr is not None and sys.stderr.isatty()
