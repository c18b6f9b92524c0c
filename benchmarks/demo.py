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

from s2s import measure
from s2s.measure import Program
from s2s.suite import find_suite, read_suite

COMPILER = "gcc"
FLAGS = ("-O3", "-march=native", "-fopenmp")
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
    programs = []
    for text, name in ((source, "jacobi"), (transformed, "jacobi.s2s")):
        program = FOLDER.absolute() / name
        _say(f"{COMPILER} {shlex.join(FLAGS)} {text} -o {FOLDER / name}")
        measure.build(COMPILER, FLAGS, [text], program, case.libraries)
        programs.append(Program(program, case.sizes["default"], case.time))
    return _compare(programs, threads)


def _transform(source: Path, transformed: Path) -> int:
    arguments = ["transform", str(source), "--require-change", "-o", str(transformed), "--", *FLAGS]
    _say(f"s2s {shlex.join(arguments)}")
    return subprocess.run([sys.executable, "-m", "s2s", *arguments], check=False).returncode


def _show_difference(source: Path, transformed: Path) -> None:
    _say(f"diff -u {source} {transformed}")
    texts = (path.read_text(encoding="utf-8").splitlines() for path in (source, transformed))
    colours = {"+": "32", "-": "31", "@": "36"} if sys.stdout.isatty() else {}
    for line in difflib.unified_diff(*texts, str(source), str(transformed), lineterm=""):
        colour = colours.get(line[:1])
        print(f"\033[{colour}m{line}\033[0m" if colour else line)


def _compare(programs: list[Program], threads: int) -> int:
    """Run both in turn, print their times, and say whether they computed the same."""
    sizes = " ".join(programs[0].arguments)
    _say(f"OMP_NUM_THREADS={threads} {FOLDER}/jacobi {sizes}; {FOLDER}/jacobi.s2s {sizes}")
    original, transformed = measure.interleave(programs, threads, ROUNDS)
    for one, other in zip(original, transformed, strict=True):
        print(f"original {one.seconds:.3f} s   transformed {other.seconds:.3f} s")
    if any(run.output != original[0].output for run in (*original, *transformed)):
        print(f"the results DIFFER:\n{original[0].output}{transformed[0].output}", end="")
        return 1
    print("the results are equal, bit for bit")
    times = measure.fastest(original), measure.fastest(transformed)
    print(f"fastest of {ROUNDS}: {times[0]:.3f} s before, {times[1]:.3f} s after,", end=" ")
    print(f"{times[0] / times[1]:.2f} times as fast with {threads} thread{'s' * (threads > 1)}")
    return 0


def _say(command: str) -> None:
    print(f"\n$ {command}", flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except measure.MeasurementError as error:
        sys.exit(f"demo: {error}")
