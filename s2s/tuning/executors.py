"""Where searches run their work: processes here, or the workers of a cluster."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from concurrent.futures import as_completed
from contextlib import contextmanager
from typing import Any

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Executor:
    """loky's ``pool`` of processes, or a dask client; ``count`` of them work at once.

    ``options`` are what ``pool.submit`` needs besides a function and its arguments.
    """

    pool: Any
    count: int
    options: dict[str, bool]

    def submit(self, work: Any, *arguments: Any) -> Any:
        """The future of ``work(*arguments)``."""
        return self.pool.submit(work, *arguments, **self.options)

    def completed(self, futures: Iterable[Any]) -> Iterator[Any]:
        """Futures as they are done."""
        if self.options:
            return iter(importlib.import_module("dask.distributed").as_completed(list(futures)))
        return as_completed(futures)


@contextmanager
def executor(jobs: int, scheduler: str = "") -> Iterator[Executor]:
    """``jobs`` processes here, or all workers of a dask ``scheduler`` at this address.

    Raises UserError where dask is missing or nobody answers.
    """
    if not scheduler:
        import loky

        yield Executor(loky.get_reusable_executor(max_workers=jobs), jobs, {})
        return
    try:
        cluster: Any = importlib.import_module("dask.distributed")
        client = cluster.Client(scheduler)
    except ImportError:
        raise _error("--scheduler needs dask: pip install 's2s[cluster]'") from None
    except (OSError, ValueError) as error:
        raise _error(f"no dask scheduler answers at {scheduler}: {error}") from None
    try:
        count = sum(client.nthreads().values())
        yield Executor(client, max(1, count), {"pure": False})
    finally:
        client.close()


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "tune"))
