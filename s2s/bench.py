"""``s2s bench``: original against transformed, for each program of the benchmark suites."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from s2s import measure, report
from s2s.diagnostics import Diagnostic, Severity, UserError
from s2s.driver import Options, transform_file
from s2s.measure import MeasurementError, Program
from s2s.output import check_writable, write_file
from s2s.report import Outcome, Result
from s2s.reporting import internal_error
from s2s.suite import SIZES, Case, find_suite, read_suite

DEFAULT_FLAGS = "-O3 -march=native -fopenmp"

# Contraction of a * b + c depends on how a compiler sees the loop around it, so bits are compared
# without it, and the builds that are timed only have to agree within rounding.
COMPARISON_FLAGS = ("-ffp-contract=off",)
ROUNDING = 1e-6


@dataclass(frozen=True)
class Plan:
    """What is done with every case."""

    compiler: str
    flags: tuple[str, ...]
    size: str
    threads: tuple[int, ...]
    repeat: int
    options: Options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "suites",
        nargs="*",
        metavar="SUITE",
        help="a suite's name, folder or TOML file (default: the kernels in benchmarks/)",
    )
    add("--root", type=Path, metavar="DIR", help="where the sources of the suite lie")
    add("--case", action="append", metavar="NAME", help="only this case; may be repeated")
    add(
        "--threads",
        type=_counts,
        metavar="LIST",
        help="numbers of threads (default: 1,2 as far as there are cores)",
    )
    add(
        "--repeat",
        type=_count,
        default=5,
        metavar="N",
        help="timed runs of each program, of which the fastest counts (default: 5)",
    )
    add("--size", choices=SIZES, default="default", help="problem sizes (default: default)")
    add("--cc", default="gcc", metavar="COMPILER", help="C compiler (default: gcc)")
    add(
        "--flags",
        default=DEFAULT_FLAGS,
        metavar="FLAGS",
        help=f"its flags in one word, as in --flags='-O2 -fopenmp' (default: {DEFAULT_FLAGS})",
    )
    add("--json", metavar="FILE", help="write the numbers as JSON")
    add("--csv", metavar="FILE", help="write the numbers as CSV")
    add("--plot", metavar="FILE", help="draw the ratios (.pdf, .png or .svg; needs matplotlib)")
    add("--out", type=Path, metavar="DIR", help="keep the transformed sources and programs here")


def main(args: argparse.Namespace) -> int:
    """Measure; 0 if every case was built, ran and computed the same, else 1.

    Raises UserError for a suite that cannot be read and a file that cannot be written.
    """
    for path in filter(None, (args.json, args.csv, args.plot)):
        check_writable(path)
    if args.plot:
        report.check_plot(args.plot)
    cases = _chosen_cases(args)
    plan = Plan(
        args.cc,
        (*_words("--flags", args.flags), *getattr(args, "cflags", ())),
        args.size,
        args.threads or _thread_counts(),
        args.repeat,
        Options(),
    )
    setting = report.describe_setting(
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        compiler=plan.compiler,
        flags=plan.flags,
        comparison=COMPARISON_FLAGS,
        size=plan.size,
        repeat=plan.repeat,
        passes=plan.options.passes,
    )
    _warn_of_too_many_threads(plan.threads)
    with _folder(args.out) as folder:
        results = [r for case in _with_progress(cases) for r in _measure_case(case, plan, folder)]
    print(report.table(results, setting))
    if args.json:
        write_file(args.json, report.to_json(results, setting))
    if args.csv:
        write_file(args.csv, report.to_csv(results, setting))
    if args.plot:
        write_file(args.plot, report.to_plot(results, setting, Path(args.plot).suffix))
    bad = (Outcome.DIFFERENT, Outcome.FAILED)
    return 1 if any(result.outcome in bad for result in results) else 0


def _measure_case(case: Case, plan: Plan, folder: Path) -> list[Result]:
    """One result for each number of threads; a failure is a result too."""
    try:
        return _Bench(case, plan, folder / case.suite / case.name).results()
    except MeasurementError as error:
        return [
            Result(
                suite=case.suite,
                case=case.name,
                variant=_variant(plan, threads),
                threads=threads,
                outcome=Outcome.FAILED,
                note=str(error),
            )
            for threads in plan.threads
        ]


class _Bench:
    """The work on one case: transform, build, compare, time."""

    def __init__(self, case: Case, plan: Plan, folder: Path) -> None:
        self.case = case
        self.plan = plan
        self.folder = folder
        self.flags = (*plan.flags, *case.flags)

    def results(self) -> list[Result]:
        self.folder.mkdir(parents=True, exist_ok=True)
        transformed, note = self._transform()
        original = self._build("original", self.case.sources)
        if transformed is None:
            return [self._unchanged(original, note, threads) for threads in self.plan.threads]
        programs = (original, self._build("transformed", transformed))
        exact = (
            self._build("original", self.case.sources, COMPARISON_FLAGS),
            self._build("transformed", transformed, COMPARISON_FLAGS),
        )
        return [self._compared(programs, exact, note, threads) for threads in self.plan.threads]

    def _transform(self) -> tuple[list[Path] | None, str]:
        """The transformed sources, or None where no byte changed, and what was said of it."""
        try:
            outcomes = [
                transform_file(str(source), self.flags, self.plan.options)
                for source in self.case.sources
            ]
        except UserError as error:
            raise MeasurementError(f"not transformed: {error}") from error
        except Exception as error:
            raise MeasurementError(internal_error("transform", error)) from error
        changed = any(outcome.changed for outcome in outcomes)
        note = _gist([d for outcome in outcomes for d in outcome.diagnostics], changed)
        if not changed:
            return None, note
        paths = []
        for source, outcome in zip(self.case.sources, outcomes, strict=True):
            paths.append(self.folder / f"{source.stem}.s2s{source.suffix}")
            write_file(str(paths[-1]), outcome.text)
        return paths, note

    def _build(self, name: str, sources: Sequence[Path], extra: Sequence[str] = ()) -> Program:
        program = self.folder.absolute() / (f"{name}-exact" if extra else name)
        includes = [f"-iquote{source.parent}" for source in self.case.sources]
        measure.build(
            self.plan.compiler,
            [*self.flags, *extra, *includes],
            sources,
            program,
            self.case.libraries,
        )
        return Program(program, self.case.sizes[self.plan.size], self.case.time)

    def _unchanged(self, original: Program, note: str, threads: int) -> Result:
        [runs] = measure.interleave([original], threads, self.plan.repeat)
        return self._result(threads, Outcome.UNCHANGED, note, measure.fastest(runs))

    def _compared(
        self,
        programs: tuple[Program, Program],
        exact: tuple[Program, Program],
        note: str,
        threads: int,
    ) -> Result:
        """Compare exact builds, then time the others, all of whose outputs must agree as well."""
        first, second = (measure.run(program, threads).output for program in exact)
        equal = self._same(first, second, self.case.tolerance, None)
        original, transformed = measure.interleave(programs, threads, self.plan.repeat)
        rounding = max(ROUNDING, self.case.tolerance)
        equal = equal and all(
            self._same(original[0].output, run.output, rounding, self.case.exact)
            for run in (*original, *transformed)
        )
        outcome = Outcome.CHANGED if equal else Outcome.DIFFERENT
        times = measure.fastest(original), measure.fastest(transformed)
        return self._result(threads, outcome, note, *times)

    def _same(
        self, left: str, right: str, tolerance: float, also_ignored: re.Pattern[str] | None
    ) -> bool:
        ignored = [p for p in (self.case.time, self.case.ignore, also_ignored) if p]
        return measure.same_output(left, right, tolerance=tolerance, ignore=ignored)

    def _result(
        self,
        threads: int,
        outcome: Outcome,
        note: str,
        original: float,
        transformed: float | None = None,
    ) -> Result:
        variant = _variant(self.plan, threads)
        return Result(
            suite=self.case.suite,
            case=self.case.name,
            variant=variant,
            threads=threads,
            outcome=outcome,
            original=original,
            transformed=transformed,
            published=self.case.published.get(variant),
            note=note,
        )


def _gist(diagnostics: Sequence[Diagnostic], changed: bool) -> str:
    """The first remark on what was done, or the first reason why nothing was."""
    wanted = Severity.REMARK if changed else Severity.MISSED
    texts = list(dict.fromkeys(d.text for d in diagnostics if d.severity is wanted))
    more = f" (and {len(texts) - 1} more)" if len(texts) > 1 else ""
    return f"{texts[0]}{more}" if texts else ""


def _variant(plan: Plan, threads: int) -> str:
    return f"{plan.options.passes[0]}-{threads}t"


def _chosen_cases(args: argparse.Namespace) -> list[Case]:
    names: list[str | None] = args.suites or [None]
    cases = [c for name in names for c in read_suite(find_suite(name, args.root), args.root)]
    for wanted in args.case or ():
        if wanted not in {case.name for case in cases}:
            known = ", ".join(case.name for case in cases)
            raise _error(f"no case '{wanted}'; there are {known}")
    return [case for case in cases if not args.case or case.name in args.case]


def _with_progress(cases: Sequence[Case]) -> Iterator[Case]:
    """The cases, with a line on a terminal that says which one it is."""
    for number, case in enumerate(cases, start=1):
        if sys.stderr.isatty():
            print(f"\r\033[K{number}/{len(cases)} {case.name} ...", end="", file=sys.stderr)
        yield case
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is None:
        with tempfile.TemporaryDirectory(prefix="s2s-bench-") as temporary:
            yield Path(temporary)
        return
    try:
        kept.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _error(f"{kept}: {error.strerror}") from error
    yield kept


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def _thread_counts() -> tuple[int, ...]:
    return (1, 2) if _cores() > 1 else (1,)


def _warn_of_too_many_threads(counts: Sequence[int]) -> None:
    if max(counts) > _cores():
        text = f"s2s bench: warning: {max(counts)} threads on {_cores()} cores: times mean little"
        print(text, file=sys.stderr)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number")
    return int(text)


def _counts(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(_count(part) for part in text.split(",")))


def _words(option: str, text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise _error(f"{option}: {error}") from error


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "bench"))
