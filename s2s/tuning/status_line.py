"""A line on a terminal that says how far a search is, and goes when it ends."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


class StatusLine:
    """Drawn when something is shown; nothing where it is not wanted.

    It is on standard error, or on the terminal that ``descriptor`` is open on.
    """

    def __init__(self, wanted: bool, descriptor: int | None = None) -> None:
        self._wanted = wanted
        self._descriptor = descriptor
        self._open = False

    @cached_property
    def _progress(self) -> Progress:
        from rich.console import Console
        from rich.progress import Progress, TextColumn

        if self._descriptor is None:
            console = Console(stderr=True)
        else:
            console = Console(file=os.fdopen(os.dup(self._descriptor), "w", errors="replace"))
        found = Progress(
            TextColumn("{task.description}", markup=False),
            console=console, transient=True, auto_refresh=False,
            redirect_stdout=False, redirect_stderr=False,
        )  # fmt: skip
        found.add_task("")
        return found

    def show(self, text: str) -> None:
        """Put a text in the place of the one before."""
        if self._wanted:
            if not self._open:
                self._progress.start()
                self._open = True
            self._progress.update(self._progress.task_ids[0], description=text, refresh=True)

    def close(self) -> None:
        """Take the line away."""
        if self._open:
            self._progress.stop()
            self._open = False
