"""``s2s bench``: original against transformed, for each program of the benchmark suites."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from s2s.bench import plots, report, tables
from s2s.bench.loops.suite import NAMES as LOOP_SUITES
from s2s.bench.result import Result, records
from s2s.bench.suite import SIZES, Case, find_suite, read_suite
from s2s.bench.trial import COMPARISON_FLAGS, Plan, Trial
from s2s.cli import tune_kernels as tune
from s2s.cli.ineffective import check_groups
from s2s.driver.child import SignalledError, clean_end
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.source.output import check_writable, write_file

DEFAULT_FLAGS = "-O3 -march=native -fopenmp"
OWN_FLAGS = "own"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "suites",
        nargs="*",
        metavar="SUITE",
        help="kastors, rodinia, polybench, tsvc, halide, vyasa, emu, or a suite's name, folder or "
        "TOML file (default: the kernels in benchmarks/)",
    )
    add(
        "--root",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="a checkout of a suite, or a folder with checkouts of several; may be repeated",
    )
    add(
        "--case",
        "--only",
        action="append",
        metavar="NAME",
        help="only these programs or loops, separated by commas; may be repeated",
    )
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
    add(
        "--cc",
        metavar="COMPILER",
        help="C compiler (default: gcc); for tsvc a list (default: gcc,clang)",
    )
    add(
        "--flags",
        metavar="FLAGS",
        help=f"its flags in one word, as in --flags='-O2 -fopenmp', or '{OWN_FLAGS}' for those of "
        f"the suite's makefiles (default: {DEFAULT_FLAGS}; for tsvc without -fopenmp, and each "
        "variant has -ffast-math or not)",
    )
    add(
        "--transform",
        default="",
        metavar="OPTIONS",
        help="options for s2s transform in one word, as in --transform='--passes popp'",
    )
    add("--json", metavar="FILE", help="write the numbers as JSON")
    add("--csv", metavar="FILE", help="write the numbers as CSV")
    add("--plot", metavar="FILE", help="draw the ratios (.pdf, .png or .svg; needs matplotlib)")
    vyasa = parser.add_argument_group("vyasa")
    tune.add_search_arguments(vyasa)
    vyasa.add_argument(
        "--published",
        action="store_true",
        help="only choose factors of unroll-and-jam in the schedules of the paper's tables",
    )
    emu = parser.add_argument_group("emu")
    emu.add_argument(
        "--scales",
        type=_scales,
        default=(6, 7, 8, 9, 10),
        metavar="FIRST:LAST",
        help="scales of the R-MAT graphs (default: 6:10)",
    )
    emu.add_argument(
        "--openmp-scale",
        type=int,
        default=0,
        metavar="N",
        help="compare OpenMP programs before and after the pass for graphs at this scale, too",
    )
    emu.add_argument("--seed", type=int, default=1, metavar="N", help="of the graphs (default: 1)")
    parser.set_defaults(groups=[vyasa, emu])
    add(
        "--out",
        type=Path,
        metavar="DIR",
        help="keep what was transformed (for the suites that compare programs: those, too) here",
    )


def main(args: argparse.Namespace) -> int:
    """Measure; 0 if every case was built, ran and computed the same, else 1.

    Where a signal ends the work, what is done by then is reported, and the status is 128 plus its
    number.

    Raises UserError for a suite that cannot be read and a file that cannot be written.
    """
    chosen = "".join(args.suites) if len(args.suites) == 1 else ""
    check_groups(args, args.groups, chosen, "but with a suite of that kind")
    for path in filter(None, (args.json, args.csv, args.plot)):
        check_writable(path)
    if args.plot:
        plots.check_plot(args.plot)
    if set(args.suites) & set(LOOP_SUITES):
        return _loops(args)
    if args.suites == ["halide"]:
        return _halide(args)
    if args.suites == ["vyasa"]:
        return _vyasa(args)
    if args.suites == ["emu"]:
        return _emu(args)
    cases = _chosen_cases(args)
    plan = _plan(args)
    setting = report.describe_setting(
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        cases=cases,
        compiler=plan.compiler,
        flags=plan.flags,
        comparison=COMPARISON_FLAGS,
        size=plan.size,
        repeat=plan.repeat,
        options=plan.options,
    )
    _warn_of_too_many_threads(plan.threads)
    results, signal = _measure(cases, plan, args.out)
    print(tables.render(results, cases, setting))
    _write_files(args, results, cases, setting)
    if signal:
        return 128 + signal
    return 1 if any(result.outcome.is_bad for result in results) else 0


def _loops(args: argparse.Namespace) -> int:
    """Suites of single loops are measured in another way, and have another table."""
    from s2s.bench.loops import command as bench
    from s2s.bench.loops.trial import Plan as LoopPlan

    if len(args.suites) > 1:
        raise _error(f"'{args.suites[0]}' and '{args.suites[1]}' have to be measured apart")
    return bench.run(
        args.suites[0],
        args.root,
        compilers=(args.cc or "gcc,clang").split(","),
        plan=LoopPlan(
            flags=(*_words("--flags", args.flags or bench.DEFAULT_FLAGS), *_cflags(args)),
            size=args.size,
            repeat=args.repeat,
            options=tuple(_words("--transform", args.transform)),
            only=_only(args),
        ),
        files=bench.Files(args.json, args.csv, args.plot),
        out=args.out,
    )


def _halide(args: argparse.Namespace) -> int:
    """Halide pipelines are measured against the real Halide."""
    from s2s.bench.halide import command as bench

    given = _words("--flags", args.flags) if args.flags else bench.DEFAULT_FLAGS
    return bench.run(
        bench.Plan(
            compiler=args.cc or "gcc",
            flags=(*given, *_cflags(args)),
            threads=max(args.threads or _thread_counts()),
            repeat=args.repeat,
            size="small" if args.size == "small" else "large",
            only=_only(args),
            files=(args.json, args.csv, args.plot),
        ),
        args.out,
    )


def _vyasa(args: argparse.Namespace) -> int:
    """Kernels for the AI Engine are measured on its model."""
    from s2s.bench.vyasa import command as bench

    run = bench.run_published if args.published else bench.run
    files = bench.Files(args.json, args.csv, args.plot, args.out)
    return run(tune.plan_of(args), _only(args), files)


def _emu(args: argparse.Namespace) -> int:
    """Graph kernels for Emu run on its simulator."""
    from s2s.bench.emu import command as bench

    return bench.run(
        bench.Plan(
            scales=args.scales,
            seed=args.seed,
            compiler=args.cc or "gcc",
            only=_only(args),
            files=(args.json, args.csv, args.plot),
            openmp_scale=args.openmp_scale,
            repeat=args.repeat,
            out=args.out,
        )
    )


def _scales(text: str) -> tuple[int, ...]:
    first, _, last = text.partition(":")
    if not all(part.isascii() and part.isdigit() for part in (first, last or first)):
        raise argparse.ArgumentTypeError(f"'{text}' is not FIRST:LAST")
    scales = tuple(range(int(first), int(last or first) + 1))
    if not scales or scales[-1] > 24:
        raise argparse.ArgumentTypeError(f"'{text}' names no scales up to 24")
    return scales


def _cflags(args: argparse.Namespace) -> tuple[str, ...]:
    return tuple(getattr(args, "cflags", ()))


def _only(args: argparse.Namespace) -> tuple[str, ...]:
    return tuple(name for names in args.case or () for name in names.split(",") if name)


def _measure(cases: Sequence[Case], plan: Plan, out: Path | None) -> tuple[list[Result], int]:
    """The results, and the signal that ended the work early, if one did: hours are not lost."""
    results: list[Result] = []
    try:
        with clean_end(), _folder(out) as folder:
            for case in _with_progress(cases):
                results += Trial(case, plan, folder / case.suite / case.name).results()
    except SignalledError as ended:
        print(f"s2s bench: ended by signal {ended.number}; what is done follows", file=sys.stderr)
        return results, ended.number
    return results, 0


def _plan(args: argparse.Namespace) -> Plan:
    return Plan(
        compiler=args.cc or "gcc",
        flags=None
        if args.flags == OWN_FLAGS
        else tuple(_words("--flags", args.flags or DEFAULT_FLAGS)),
        extra_flags=_cflags(args),
        size=args.size,
        threads=args.threads or _thread_counts(),
        repeat=args.repeat,
        options=tuple(_words("--transform", args.transform)),
    )


def _write_files(
    args: argparse.Namespace, results: list[Result], cases: list[Case], setting: report.Setting
) -> None:
    numbers = list(records(results, cases))
    if args.json:
        write_file(args.json, report.to_json(numbers, setting))
    if args.csv:
        write_file(args.csv, report.to_csv(numbers, setting))
    if args.plot:
        write_file(args.plot, plots.to_plot(results, setting, Path(args.plot).suffix))


def _chosen_cases(args: argparse.Namespace) -> list[Case]:
    """The programs of all suites that were named, or those of them that --case names."""
    names: list[str | None] = args.suites or [None]
    root = args.root[0] if args.root else None
    cases = [c for name in names for c in read_suite(find_suite(name, root), *args.root)]
    only = _only(args)
    for wanted in only:
        if wanted not in {case.name for case in cases}:
            known = ", ".join(case.name for case in cases)
            raise _error(f"no case '{wanted}'; there are {known}")
    return [case for case in cases if not only or case.name in only]


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
