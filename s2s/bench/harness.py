"""The one harness: the cases of a suite in turn, then tables, files and the exit status."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from s2s.bench import plots, report
from s2s.bench.descriptions import bench_error, benchmark_folders
from s2s.bench.journal import Journal
from s2s.bench.spread import load, load_warning
from s2s.bench.suite import Case, Request, Row, Suite
from s2s.driver.child import SignalledError, clean_end, held_back
from s2s.source.diagnostics import UsageError
from s2s.source.installed import find_installed
from s2s.source.output import check_writable, write_file
from s2s.source.spelling import did_you_mean
from s2s.tuning.measure import MeasurementError

KINDS = {
    "tsvc": "single_loops",
    "polysimd": "single_loops",
    "halide": "pipelines",
    "vyasa": "convolutions",
    "emu": "graph_kernels",
    "clockwork": "accelerators",
    "davinci": "pooling",
    "marvel": "mappings",
}
"""Suites that are no programs with their sizes; each is a folder with ``suite(request)``."""
GROUP = "s2s.suites"
"""The entry points of installed packages that are suites: such functions, by the suites' names."""


def run(request: Request) -> int:
    """Measure; 0 if every case was built, ran and computed the same, else 1.

    Where a signal ends the work, what is done by then is reported, and the status is 128 plus its
    number.

    Raises UserError for a suite that cannot be read and a file that cannot be written.
    """
    for path in filter(None, (request.json, request.csv, request.plot)):
        check_writable(path)
    if request.plot:
        plots.check_plot(request.plot)
    suite = _suite(request)
    before = load()
    if warning := load_warning(before):
        print(f"s2s bench: warning: {warning}", file=sys.stderr)
    journal = Journal(request, resume=request.resume)
    if request.resume and not journal.known:
        print("s2s bench: no run of the same, by the same s2s, was ended here", file=sys.stderr)
    rows, signal = _measured(suite, request.out, journal)
    loads = f"{before:.1f} before, {load():.1f} after"
    found = {"load": loads, **_ended(signal)}
    setting = {**suite.setting, **found}
    print(suite.text(rows))
    print(*report.legend(found), sep="\n")
    if request.json:
        write_file(request.json, report.to_json(suite.records(rows), setting))
    if request.csv:
        write_file(request.csv, report.to_csv(suite.records(rows), setting))
    if request.plot:
        write_file(request.plot, plots.to_plot(suite.figure(rows), Path(request.plot).suffix))
    if not signal:
        journal.remove()
    return 128 + signal if signal else int(not suite.is_good(rows))


def _ended(signal: int) -> report.Setting:
    """What a run says of itself that a signal ended."""
    return {"ended": f"by signal {signal}; means are those of what was done"} if signal else {}


def _suite(request: Request) -> Suite[Any, Any]:
    """The suite that is asked for; several at once only where all are programs."""
    ways = [_way(name) for name in request.suites]
    special = next((n for n, way in zip(request.suites, ways, strict=True) if way), None)
    if special and len(ways) > 1:
        other = next((n for n in request.suites if n != special), special)
        raise bench_error(f"'{special}' and '{other}' have to be measured apart")
    from s2s.bench.programs.suite import suite

    made = next(filter(None, ways), suite)
    found: Suite[Any, Any] = made(request)
    return found


def _way(name: str) -> Callable[[Request], Any] | None:
    """What makes the suite of this name; None for programs with their sizes.

    Raises UsageError for a word that names nothing, UserError for a package's that is broken.
    """
    if name in KINDS:
        way: Callable[[Request], Any] = import_module(f"s2s.bench.{KINDS[name]}.suite").suite
        return way
    known = {path.stem for folder in benchmark_folders() for path in folder.glob("suites/*.toml")}
    if name in known or not name.isidentifier() or any(p.exists() for p in _places(name)):
        return None
    installed = find_installed(GROUP, {*KINDS, *known})
    if name not in installed:
        every = dict.fromkeys([*KINDS, *sorted(known), *installed])
        raise UsageError(f"no benchmark suite is named '{name}'{did_you_mean(name, every)}")
    found = installed[name].load()
    if not callable(found):
        raise installed[name].broken(f"'{installed[name].entry.value}' is no such suite")
    return found


def _places(name: str) -> Iterator[Path]:
    yield Path(name)
    for folder in benchmark_folders():
        yield from (folder / name, folder / f"{name}.toml")


def _measured(suite: Suite[Case, Row], out: Path | None, journal: Journal) -> tuple[list[Row], int]:
    """The rows, and the signal that ended the work early, if one did: hours are not lost."""
    rows: list[Row] = []
    try:
        with clean_end(), _folder(out) as folder:
            for place, case in enumerate(_with_progress(suite.cases)):
                key = f"{place} {case.name}"
                known = journal.known.get(key, [])
                rows += known
                if key in journal.finished:
                    continue
                for row in islice(suite.measure(case, folder), len(known), None):
                    with held_back():
                        rows.append(row)
                        journal.add(key, row)
                journal.finish(key)
    except MeasurementError as error:
        raise bench_error(str(error)) from error
    except SignalledError as ended:
        print(f"s2s bench: ended by signal {ended.number}; what is done follows", file=sys.stderr)
        print("s2s bench: with '--resume' the same command goes on", file=sys.stderr)
        return rows, ended.number
    return rows, 0


def _with_progress(cases: Sequence[Case]) -> Iterator[Case]:
    """The cases, with a bar on a terminal; it is drawn between them, not while they run."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False)
    bar = Progress(
        *columns, console=Console(stderr=True), transient=True, auto_refresh=False,
        redirect_stdout=False, redirect_stderr=False, disable=not sys.stderr.isatty(),
    )  # fmt: skip
    with bar:
        task = bar.add_task("", total=len(cases))
        for case in cases:
            bar.update(task, description=case.name, refresh=True)
            yield case
            bar.advance(task)


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is None:
        with tempfile.TemporaryDirectory(prefix="s2s-bench-") as temporary:
            yield Path(temporary)
        return
    try:
        kept.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise bench_error(f"{kept}: {error.strerror}") from error
    yield kept.absolute()
