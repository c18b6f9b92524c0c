"""Several jobs at once, each in a copy of this process as it was before the first of them.

So what a job gives does not depend on which others were done before it, nor on how many processors
there are. A job that fails gives nothing, and whoever asks for it has to do it.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from tempfile import TemporaryFile
from typing import IO, NoReturn, TypeVar, cast

from s2s.driver.child import fork

T = TypeVar("T")
R = TypeVar("R")

_DONE, _FAILED = b".", b"!"
_MOST_AT_ONCE = 4
# Each copy begins without what the others have kept.
_JOBS = 4


class Crew:
    """Works on ``jobs``, 256 at most, in their order, as many at once as there are processors, up
    to four; ``close`` ends what is not done.

    Each job's number is a byte in a pipe that those who are free read from.
    """

    def __init__(self, jobs: Sequence[Callable[[], object]], at_once: int = 0) -> None:
        at_once = at_once or min(_MOST_AT_ONCE, len(os.sched_getaffinity(0)))
        self._answers: list[IO[bytes]] = [TemporaryFile() for _ in jobs]  # noqa: SIM115
        self._ends = [os.pipe() for _ in jobs]
        self._waiting, tokens = os.pipe()
        os.write(tokens, bytes(range(len(jobs))))
        os.close(tokens)
        self._foremen: list[int] = []
        try:
            for _ in range(min(at_once, len(jobs))):
                self._foremen.append(fork(lambda: self._lead(jobs)))
        except OSError:
            if not self._foremen:
                raise
        finally:
            os.close(self._waiting)
            for _, writer in self._ends:
                os.close(writer)

    def answer(self, number: int) -> object | None:
        """What a job has given, once it is done; None where it has failed."""
        if os.read(self._ends[number][0], 1) != _DONE:
            return None
        stream = self._answers[number]
        stream.seek(0)
        try:
            found: object = pickle.load(stream)
        except Exception:
            return None
        return found

    def close(self) -> None:
        """End all processes and forget what was not asked for."""
        for foreman in self._foremen:
            os.kill(foreman, signal.SIGKILL)
        for foreman in self._foremen:
            os.waitpid(foreman, 0)
        for reader, _ in self._ends:
            os.close(reader)
        for stream in self._answers:
            stream.close()

    def _lead(self, jobs: Sequence[Callable[[], object]]) -> NoReturn:
        """Have one job after the other done by a copy of this process, which takes its number."""
        while taken := os.read(self._waiting, 1):
            number = taken[0]
            worker = fork(partial(self._work, jobs[number], self._answers[number]))
            failed = os.waitpid(worker, 0)[1] != 0
            with suppress(OSError):
                os.write(self._ends[number][1], _FAILED if failed else _DONE)
        os._exit(0)

    @staticmethod
    def _work(job: Callable[[], object], stream: IO[bytes]) -> NoReturn:
        pickle.dump(job(), stream)
        stream.flush()
        os._exit(0)


@contextmanager
def each_ahead(work: Callable[[T], R], items: Sequence[T]) -> Iterator[Callable[[int], R | None]]:
    """What ``work`` gives for each of the items, by their numbers; None for what failed."""
    share = -(-len(items) // _JOBS)
    jobs = [
        partial(_all_of, work, items[first : first + share])
        for first in range(0, len(items), share)
    ]
    try:
        crew = Crew(jobs)
    except OSError:
        yield lambda number: None
        return
    kept: dict[int, list[R]] = {}

    def given(number: int) -> R | None:
        job, place = divmod(number, share)
        if job not in kept:
            kept[job] = cast("list[R]", crew.answer(job) or [])
        return kept[job][place] if kept[job] else None

    try:
        yield given
    finally:
        crew.close()


def _all_of(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    return [work(item) for item in items]
