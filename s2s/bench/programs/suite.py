"""Programs: each is transformed in every way that its kind has, and all variants run in turn."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import s2s
from s2s.bench import report
from s2s.bench.programs import tables
from s2s.bench.programs.description import Case, find_suite, read_suite
from s2s.bench.programs.result import Result, records
from s2s.bench.programs.trial import COMPARISON_FLAGS, DEFAULT_FLAGS, OWN_FLAGS, Trial
from s2s.bench.records import Record
from s2s.bench.suite import Request, Suite, choose, words
from s2s.tuning.measure import ENVIRONMENT

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Programs(Suite[Case, Result]):
    """The programs of all suites that were named, or those of them that were asked for."""

    def __init__(self, request: Request) -> None:
        self.request = request
        root = request.roots[0] if request.roots else None
        cases = [
            case
            for name in request.suites or (None,)
            for case in read_suite(find_suite(name, root), *request.roots)
        ]
        chosen = choose("case", [case.name for case in cases], request.only)
        self.cases = [case for case in cases if case.name in chosen]
        self.setting = _setting(self.cases, request)
        _warn_of_too_many_threads(request.threads)

    def measure(self, case: Case, folder: Path) -> list[Result]:
        return Trial(case, self.request, folder / case.suite / case.name).results()

    def text(self, rows: Sequence[Result]) -> str:
        return tables.render(rows, self.cases, self.setting)

    def records(self, rows: Sequence[Result]) -> Iterator[Record]:
        return records(rows, self.cases)

    def figure(self, rows: Sequence[Result]) -> Figure:
        from s2s.bench.programs.plots import draw

        return draw(rows, self.setting)

    def is_good(self, rows: Sequence[Result]) -> bool:
        return not any(result.outcome.is_bad for result in rows)


suite = Programs


def _setting(cases: Sequence[Case], request: Request) -> report.Setting:
    """The machine that this runs on, and the names of both baselines."""
    given = {name: os.environ.get(name, value) for name, value in ENVIRONMENT.items()}
    releases = dict.fromkeys(f"{case.suite} {case.release}".strip() for case in cases)
    flags = words("--flags", request.flags or DEFAULT_FLAGS)
    own = request.flags == OWN_FLAGS
    return report.machine_setting(
        {"suites": ", ".join(releases)},
        compiler=report.compiler_version(request.compiler or "gcc"),
        flags="those of each program's own build" if own else shlex.join(flags),
        comparison=f"standard output of builds with {shlex.join(COMPARISON_FLAGS)} added to the "
        "flags",
        environment=" ".join(f"{name}={value}" for name, value in given.items()),
        runs=f"minimum of {request.repeat} interleaved runs after a warm-up; size {request.size}",
        s2s=s2s.__version__,
        original="the unmodified source, same compiler, flags and number of threads "
        "(sequential programs: one thread)",
        transformed=f"the output of {shlex.join(['s2s', 'transform', *request.options])} for that "
        "source",
        nohb="the same with --no-happens-before: ordered as the serial elision",
    )


def _warn_of_too_many_threads(counts: Sequence[int]) -> None:
    cores = len(os.sched_getaffinity(0))
    if max(counts, default=1) > cores:
        text = f"s2s bench: warning: {max(counts)} threads on {cores} cores: times mean little"
        print(text, file=sys.stderr)
