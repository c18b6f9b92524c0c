"""``s2s bench``: original against transformed, for each program of the benchmark suites."""

from __future__ import annotations

import argparse
from pathlib import Path

from s2s.bench.programs.description import SIZES
from s2s.bench.programs.trial import DEFAULT_FLAGS, OWN_FLAGS
from s2s.bench.suite import Request, words
from s2s.cli import tune_kernels as tune
from s2s.cli.arguments import positive_seconds
from s2s.cli.ineffective import check_groups


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "suites",
        nargs="*",
        metavar="SUITE",
        help="kastors, rodinia, polybench, tsvc, halide, vyasa, emu, clockwork, davinci, marvel, "
        "or a suite's name, folder or TOML file (default: the kernels in benchmarks/)",
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
    add(
        "--resume", action="store_true",
        help="go on with the same command's run that was ended, without what it has measured",
    )  # fmt: skip
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
    clockwork = parser.add_argument_group("clockwork")
    clockwork.add_argument(
        "--search-seconds",
        type=positive_seconds,
        default=Request.search_seconds,
        metavar="S",
        help="processor time after which the search of a row of Table '6.7 tuned' takes what it "
        f"has (default: {Request.search_seconds:g})",
    )
    parser.set_defaults(groups=[vyasa, emu, clockwork])
    add(
        "--out",
        type=Path,
        metavar="DIR",
        help="keep what was transformed (for the suites that compare programs: those, too) here",
    )


def main(args: argparse.Namespace) -> int:
    """Measure; 0 if every case was built, ran and computed the same, else 1. Raises UserError."""
    from s2s.bench.harness import run

    chosen = "".join(args.suites) if len(args.suites) == 1 else ""
    check_groups(args, args.groups, chosen, "but with a suite of that kind")
    return run(
        Request(
            suites=tuple(args.suites),
            roots=tuple(args.root),
            only=tuple(name for names in args.case or () for name in names.split(",") if name),
            threads=args.threads or (),
            repeat=args.repeat,
            size=args.size,
            compiler=args.cc or "",
            flags=args.flags or "",
            cflags=tuple(getattr(args, "cflags", ())),
            options=words("--transform", args.transform),
            json=args.json,
            csv=args.csv,
            plot=args.plot,
            out=args.out,
            search=tune.plan_of(args),
            published=args.published,
            scales=args.scales,
            seed=args.seed,
            openmp_scale=args.openmp_scale,
            resume=args.resume,
            search_seconds=args.search_seconds,
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


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number")
    return int(text)


def _counts(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(_count(part) for part in text.split(",")))
