"""``s2s bench tsvc``: each loop of a suite, original against transformed, for several compilers."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import s2s
from s2s.bench import report
from s2s.bench.descriptions import bench_error
from s2s.bench.loops import figures, suite, tables
from s2s.bench.loops.result import LoopResult, records
from s2s.bench.loops.suite import LoopSuite
from s2s.bench.loops.trial import ALWAYS, FAST, Plan, Trial, Variant, variants
from s2s.bench.trial import COMPARISON_FLAGS
from s2s.driver.child import SignalledError, clean_end
from s2s.source.output import write_file
from s2s.tuning.measure import MeasurementError

DEFAULT_FLAGS = "-O3 -march=native"


@dataclass(frozen=True)
class Files:
    """Where the numbers are written, each empty or None for nowhere."""

    json: str | None = None
    csv: str | None = None
    plot: str | None = None


@dataclass(frozen=True)
class Setting:
    """All that the numbers depend on besides the loops."""

    date: str
    suite: str
    cpu: str
    cores: int
    caches: str
    system: str
    compilers: str
    flags: str
    variants: str
    comparison: str
    sweeps: str
    runs: str
    s2s: str
    transformed: str


def run(
    name: str, roots: list[Path], *, compilers: Sequence[str], plan: Plan, files: Files,
    out: Path | None,
) -> int:  # fmt: skip
    """Measure and report; 0 if every loop computed the same in both forms, else 1.

    Compilers that are not installed are named and left out. Raises UserError where none is left,
    and for loops that are not there.
    """
    loops = suite.find(roots, name)
    for wanted in plan.only:
        if wanted not in loops.loops:
            raise bench_error(f"no loop '{wanted}'; there are {', '.join(loops.loops)}")
    chosen = variants(_installed(compilers))
    setting = _setting(loops, chosen, plan)
    rows = figures.rows(loops, (*plan.flags, f"-DSWEEPS={loops.sweeps[plan.size]}"))
    results, signal = _measure(loops, chosen, plan, out)
    print(tables.render(results, rows, loops, setting))
    _write(files, results, rows, loops, setting)
    if signal:
        return 128 + signal
    failed = not results or any(result.outcome.is_bad for result in results)
    return 1 if failed or {r.variant for r in results} != {v.name for v in chosen} else 0


def _installed(compilers: Sequence[str]) -> list[str]:
    found = []
    for compiler in compilers:
        if shutil.which((shlex.split(compiler) or [""])[0]):
            found.append(compiler)
        else:
            print(f"s2s bench: '{compiler}' is not installed and left out", file=sys.stderr)
    if not found:
        raise bench_error("no compiler is installed")
    return found


def _measure(
    loops: LoopSuite, chosen: Sequence[Variant], plan: Plan, out: Path | None
) -> tuple[list[LoopResult], int]:
    """The results, and the signal that ended the work early, if one did."""
    results: list[LoopResult] = []
    try:
        with clean_end(), _folder(out) as folder:
            for variant in chosen:
                trial = Trial(loops, variant, plan, folder / variant.name)
                try:
                    for result in _with_progress(trial):
                        results.append(result)
                except MeasurementError as error:
                    print(f"s2s bench: {variant.name}: {error}", file=sys.stderr)
    except SignalledError as ended:
        print(f"s2s bench: ended by signal {ended.number}; what is done follows", file=sys.stderr)
        return results, ended.number
    return results, 0


def _with_progress(trial: Trial) -> Iterator[LoopResult]:
    """The results, with a line on a terminal that says how far it is."""
    terminal = sys.stderr.isatty()
    count = len(trial.plan.only or trial.suite.loops)
    if terminal:
        print(f"\r\033[K{trial.variant.name}: building ...", end="", file=sys.stderr)
    for number, result in enumerate(trial.results(), start=1):
        if terminal:
            words = f"{trial.variant.name}: {number}/{count} {result.loop}"
            print(f"\r\033[K{words}", end="", file=sys.stderr)
        yield result
    if terminal:
        print("\r\033[K", end="", file=sys.stderr)


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        yield kept.absolute()
        return
    with tempfile.TemporaryDirectory(prefix="s2s-bench-") as temporary:
        yield Path(temporary)


def _write(
    files: Files, results: Sequence[LoopResult], rows: Sequence[figures.Row], loops: LoopSuite,
    setting: Setting,
) -> None:  # fmt: skip
    numbers = [*figures.records(loops, rows, results), *records(results)]
    if files.json:
        write_file(files.json, report.to_json(numbers, setting))
    if files.csv:
        write_file(files.csv, report.to_csv(numbers, setting))
    if files.plot:
        from s2s.bench.loops import plots

        write_file(files.plot, plots.to_plot(results, setting, Path(files.plot).suffix))


def _setting(loops: LoopSuite, chosen: Sequence[Variant], plan: Plan) -> Setting:
    compilers = dict.fromkeys(variant.compiler for variant in chosen)
    options = ["s2s", "transform", "--compiler", "COMPILER", *plan.options]
    return Setting(
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        suite=f"{loops.name}: {loops.about}",
        cpu=report.cpu_model(),
        cores=len(os.sched_getaffinity(0)),
        caches=report.caches(),
        system=platform.platform(),
        compilers="; ".join(f"{c}: {report.compiler_version(c)}" for c in compilers),
        flags=shlex.join((*plan.flags, *ALWAYS)),
        variants=f"with {FAST}; -ieee: without",
        comparison=f"hashes of all arrays after three sweeps over random data, in builds with "
        f"{shlex.join(COMPARISON_FLAGS)} and without {FAST}; sums where s2s may reassociate",
        sweeps=f"{loops.sweeps[plan.size]} in the place of the suite's own number",
        runs=f"processor time, one core, in turn; least of {plan.repeat} runs, of more if short",
        s2s=s2s.__version__,
        transformed=f"the output of {shlex.join(options)} with the same flags",
    )
