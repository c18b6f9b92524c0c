"""A bound on the time that a piece of work computes, in whatever thread it runs.

A signal would reach the main thread only, and the workers of a cluster compute in others.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class TooLong(Exception):
    """The work took longer than it may."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raises TooLong in the body once its thread has computed so long."""
    watch = _Watch(seconds)
    try:
        yield
    finally:
        watch.end()


class _Watch:
    """Looks at the clock of a thread from a second one, and interrupts it."""

    def __init__(self, seconds: float) -> None:
        self._watched = threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._watched)
        self._end = time.clock_gettime(self._clock) + seconds
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._fired = False
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        """No thread computes longer than the clock on the wall shows."""
        while True:
            left = self._end - time.clock_gettime(self._clock)
            if left > 0:
                if self._over.wait(left):
                    return
                continue
            with self._lock:
                if not self._over.is_set():
                    self._fired = True
                    _raise_in(self._watched, ctypes.py_object(TooLong))
            return

    def end(self) -> None:
        """Nothing is interrupted from here on, not by what was on its way either."""
        with self._lock:
            self._over.set()
            if self._fired:
                _raise_in(self._watched, ctypes.py_object())


def _raise_in(thread: int, error: ctypes.py_object[type[Exception]]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), error)
