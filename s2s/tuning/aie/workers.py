"""What measures mappings for a search: this process, several, or a cluster's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from s2s.scop.contraction import Contraction
from s2s.source.records import dataclass
from s2s.transforms.aie.mapping import Mapping
from s2s.tuning.aie.measured import Measured, measure
from s2s.tuning.executors import Executor, executor


class Result(Protocol):
    """A measurement on its way."""

    def result(self) -> Measured:
        """What was measured; waits for it."""
        ...


class Workers(Protocol):
    """Where mappings are measured; ``count`` of them at once."""

    @property
    def count(self) -> int: ...

    def submit(self, contraction: Contraction, mapping: Mapping, below: int) -> Result:
        """Has a mapping measured, as ``measured.measure`` does."""
        ...


@dataclass
class Settled:
    """What is known already."""

    measured: Measured

    def result(self) -> Measured:
        return self.measured


@dataclass
class _Later:
    """What this process measures when it is asked for."""

    contraction: Contraction
    mapping: Mapping
    below: int

    def result(self) -> Measured:
        return measure(self.contraction, self.mapping, self.below)


class _Here:
    count = 1

    def submit(self, contraction: Contraction, mapping: Mapping, below: int) -> Result:
        return _Later(contraction, mapping, below)


@dataclass
class _Pool:
    """Several processes, or a cluster's workers."""

    executor: Executor

    @property
    def count(self) -> int:
        return self.executor.count

    def submit(self, contraction: Contraction, mapping: Mapping, below: int) -> Result:
        found: Result = self.executor.submit(measure, contraction, mapping, below)
        return found


@contextmanager
def workers(jobs: int, scheduler: str = "") -> Iterator[Workers]:
    """``jobs`` processes here, or all workers of a dask scheduler at this address."""
    if jobs == 1 and not scheduler:
        yield _Here()
        return
    with executor(jobs, scheduler) as found:
        yield _Pool(found)
