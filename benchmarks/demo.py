"""What `make demo` shows: one kernel transformed, its hot region as a diff, both times.

Ends with status 1 when nothing was transformed or the results differ.
"""

from __future__ import annotations

import difflib
import os
import shlex
import subprocess
import sys
from pathlib import Path

from s2s.bench.programs.description import Case, find_suite, read_suite
from s2s.tuning import measure
from s2s.tuning.measure import Program

COMPILER = "gcc"
FLAGS = ("-O3", "-march=native", "-fopenmp")
SIZES = ("2048", "128")
ROUNDS = 3
FOLDER = Path("out")


def main() -> int:
    [case] = [case for case in read_suite(find_suite(None, None)) if case.name == "jacobi"]
    [source] = case.sources
    transformed = FOLDER / "jacobi.s2s.c"
    FOLDER.mkdir(exist_ok=True)
    status = _transform(source, transformed)
    if status != 0:
        print(f"s2s transform ended with status {status}")
        return 1
    _show_difference(source, transformed)
    threads = min(2, len(os.sched_getaffinity(0)))
    timed = [_build(text, (), case) for text in (source, transformed)]
    exact = [_build(text, ("-ffp-contract=off",), case) for text in (source, transformed)]
    return 0 if _same_results(exact, threads) and _time(timed, threads, case) else 1


def _transform(source: Path, transformed: Path) -> int:
    arguments = ["transform", str(source), "--require-change", "-o", str(transformed), "--", *FLAGS]
    _say(f"s2s {shlex.join(arguments)}")
    return subprocess.run([sys.executable, "-P", "-m", "s2s", *arguments], check=False).returncode


def _show_difference(source: Path, transformed: Path) -> None:
    _say(f"diff -u {source} {transformed}")
    before, after = (path.read_text(encoding="utf-8") for path in (source, transformed))
    colours = {"+": "32", "-": "31", "@": "36"} if sys.stdout.isatty() else {}
    for line in difflib.unified_diff(
        before.splitlines(), after.splitlines(), str(source), str(transformed), lineterm=""
    ):
        colour = colours.get(line[:1])
        print(f"\033[{colour}m{line}\033[0m" if colour else line)


def _build(text: Path, extra: tuple[str, ...], case: Case) -> Program:
    program = FOLDER / (text.stem + ("-exact" if extra else ""))
    flags = (*FLAGS, *extra)
    _say(shlex.join([COMPILER, *flags, str(text), "-o", str(program)]))
    measure.build(COMPILER, flags, [text], program, case.libraries)
    return Program(program.absolute(), SIZES, case.time)


def _same_results(programs: list[Program], threads: int) -> bool:
    """Compare every bit, built so that no multiplication and addition are contracted."""
    before, after = (measure.run(program, threads).output for program in programs)
    if before != after:
        print(f"\nThe results DIFFER:\n{before}{after}", end="")
        return False
    print("\nThe results are equal, bit for bit (without contraction of floating point).")
    return True


def _time(programs: list[Program], threads: int, case: Case) -> bool:
    """Run both in turn and print their times; false if a timed run computed something else."""
    original, transformed = measure.interleave(programs, threads, ROUNDS)
    sizes = " ".join(SIZES)
    print(f"\nSeconds in the hot region, sizes {sizes}, {threads} thread{'s' * (threads > 1)}:")
    for one, other in zip(original, transformed, strict=True):
        print(f"    original {one.seconds:.3f}    transformed {other.seconds:.3f}")
    ignored = [case.exact] if case.exact else []
    for run in (*original, *transformed):
        if not measure.same_output(original[0].output, run.output, tolerance=1e-6, ignore=ignored):
            print(f"The results DIFFER:\n{original[0].output}{run.output}", end="")
            return False
    before, after = measure.fastest(original), measure.fastest(transformed)
    print(f"Fastest of {ROUNDS}: {before:.3f} / {after:.3f} = {before / after:.2f} times as fast.")
    return True


def _say(command: str) -> None:
    print(f"\n$ {command}", flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except measure.MeasurementError as error:
        sys.exit(f"demo: {error}")
