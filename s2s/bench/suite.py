"""What a kind of benchmark says of itself, so that one harness runs them all."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from s2s.bench.descriptions import bench_error
from s2s.source.diagnostics import UsageError
from s2s.source.records import dataclass
from s2s.source.spelling import did_you_mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from s2s.bench.records import Record
    from s2s.bench.report import Setting
    from s2s.tuning.aie.search import Plan


class Named(Protocol):
    """What has a name, by which it is shown while it is measured."""

    @property
    def name(self) -> str: ...


Case = TypeVar("Case", bound=Named)
Row = TypeVar("Row")


def thread_counts() -> tuple[int, ...]:
    """One thread and two, as far as there are cores."""
    return (1, 2) if len(os.sched_getaffinity(0)) > 1 else (1,)


@dataclass(frozen=True)
class Request:
    """What the command line asks for. Empty ``threads``, ``compiler`` and ``flags``: the suite's.

    ``only`` are names of cases, empty for all; ``cflags`` are more flags of the compiler,
    ``options`` those of ``s2s transform``. Files are empty for none, ``out`` is a folder for what
    was made. With ``resume`` a run of the same that was ended goes on. The rest is for single
    suites.
    """

    suites: tuple[str, ...] = ()
    roots: tuple[Path, ...] = ()
    only: tuple[str, ...] = ()
    threads: tuple[int, ...] = ()
    repeat: int = 5
    size: str = "default"
    compiler: str = ""
    flags: str = ""
    cflags: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    json: str | None = None
    csv: str | None = None
    plot: str | None = None
    out: Path | None = None
    search: Plan | None = None
    published: bool = False
    scales: tuple[int, ...] = (6, 7, 8, 9, 10)
    seed: int = 1
    openmp_scale: int = 0
    resume: bool = False
    search_seconds: float = 300.0

    def given_flags(self, default: str) -> tuple[str, ...]:
        """The compiler's flags; raises UserError for a quotation without an end."""
        return (*words("--flags", self.flags or default), *self.cflags)


class Suite(Protocol[Case, Row]):
    """A kind of benchmark: its cases, how one is measured, and what is said of all.

    ``cases`` are those that were asked for; ``setting`` is what the numbers depend on.
    """

    cases: Sequence[Case]
    setting: Setting

    def measure(self, case: Case, folder: Path) -> Iterable[Row]:
        """What was found, row by row; ``folder`` is for all cases, and kept where the user wants.

        What fails for a case is a row, too. Raises UserError and MeasurementError where nothing
        can go on.
        """
        ...

    def text(self, rows: Sequence[Row]) -> str:
        """The tables."""
        ...

    def records(self, rows: Sequence[Row]) -> Iterator[Record]:
        """The numbers."""
        ...

    def figure(self, rows: Sequence[Row]) -> Figure:
        """The plot."""
        ...

    def is_good(self, rows: Sequence[Row]) -> bool:
        """Whether every case was built, ran and computed the same."""
        ...


def words(option: str, text: str) -> tuple[str, ...]:
    """The words of an option's value; raises UserError."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise bench_error(f"{option}: {error}") from error


def choose(what: str, names: Sequence[str], only: Sequence[str]) -> list[str]:
    """The names among ``only``, or all. Raises UsageError for one that there is not."""
    for wanted in only:
        if wanted not in names:
            raise UsageError(f"no {what} is named '{wanted}'{did_you_mean(wanted, names)}")
    return [name for name in names if not only or name in only]
