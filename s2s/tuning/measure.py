"""Building programs, running them one after the other, and comparing what they print.

Two programs are timed in turn, so that a change of the machine's load or clock hits both, and the
minimum counts: everything that disturbs a run makes it slower. Programs that wait by spinning
collapse when they share their cores, so nothing else should run, and no run has more threads
than there are cores unless the user says so.
"""

from __future__ import annotations

import math
import os
import re
import resource
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

from s2s.source.records import dataclass

RUN_LIMIT_SECONDS = 600.0
BUILD_LIMIT_SECONDS = 300.0

# Threads stay where they start, one to a core; a value that the user has set is left alone.
ENVIRONMENT = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores", "OMP_DYNAMIC": "false"}


class MeasurementError(Exception):
    """A program could not be built or run, or did not print its time."""


@dataclass(frozen=True)
class Program:
    """An executable, its arguments and where in its output the seconds are.

    ``{threads}`` in an argument or in a variable of ``environment`` is the number of threads.
    """

    path: Path
    arguments: tuple[str, ...]
    time: re.Pattern[str]
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """What a program printed on standard output, and the seconds that it measured."""

    output: str
    seconds: float


# Short compilations are repeated.
COMPILATIONS = 3
_COMPILATION_SECONDS = 2.0


def build(
    compiler: str,
    flags: Sequence[str],
    sources: Sequence[Path],
    program: Path,
    libraries: Sequence[str] = (),
) -> None:
    """Compile and link ``sources``; raises MeasurementError with the compiler's first error."""
    command = [*shlex.split(compiler), *flags, *map(str, sources), "-o", str(program), *libraries]
    result = _call(command, BUILD_LIMIT_SECONDS, os.environ)
    if result.returncode != 0:
        errors = [line for line in result.stderr.splitlines() if "error" in line]
        errors += [line for line in result.stderr.splitlines() if "undefined reference" in line]
        raise MeasurementError(f"does not compile: {(errors or ['no message'])[0]}")


def compile_object(
    compiler: str, flags: Sequence[str], source: Path, target: Path, *, times: int = COMPILATIONS
) -> float:
    """Compile one file and return the compiler's processor seconds; raises MeasurementError.

    The least of several, as with the programs' times: a busy machine makes each of them longer.
    Once is enough where nobody asks for the seconds.
    """
    seconds: list[float] = []
    while len(seconds) < times and sum(seconds) < _COMPILATION_SECONDS:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        build(compiler, [*flags, "-c"], [source], target)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        seconds.append(used)
    return min(seconds)


def run(program: Program, threads: int) -> Run:
    """Run once with ``threads`` threads; raises MeasurementError unless it exits with 0.

    The program runs in its own folder, where it may leave files.
    """
    count = str(threads)
    own = {name: text.replace("{threads}", count) for name, text in program.environment.items()}
    environment = {**ENVIRONMENT, **os.environ, "OMP_NUM_THREADS": count, **own}
    arguments = [argument.replace("{threads}", count) for argument in program.arguments]
    command = [str(program.path.absolute()), *arguments]
    result = _call(command, RUN_LIMIT_SECONDS, environment, program.path.parent)
    if result.returncode != 0:
        raise MeasurementError(f"{program.path.name} ended with status {result.returncode}")
    found = program.time.search(result.stderr) or program.time.search(result.stdout)
    if not found:
        raise MeasurementError(f"{program.path.name} printed no time")
    return Run(result.stdout, float(found[1]))


def interleave(programs: Sequence[Program], threads: int, repeat: int) -> list[list[Run]]:
    """``repeat`` runs of each program, taken in turn after one of each that does not count."""
    for program in programs:
        run(program, threads)
    rounds = [[run(program, threads) for program in programs] for _ in range(repeat)]
    return [list(runs) for runs in zip(*rounds, strict=True)]


def fastest(runs: Sequence[Run]) -> float:
    return min(one.seconds for one in runs)


def same_output(
    left: str, right: str, *, tolerance: float = 0.0, ignore: Sequence[re.Pattern[str]] = ()
) -> bool:
    """Whether two outputs have the same words, numbers within a relative ``tolerance``.

    Lines in which a pattern of ``ignore`` is found do not count.
    """
    for pattern in ignore:
        left, right = _without(left, pattern), _without(right, pattern)
    if left == right or tolerance == 0.0:
        return left == right
    lines = left.splitlines(), right.splitlines()
    return len(lines[0]) == len(lines[1]) and all(
        _same_line(one.split(), other.split(), tolerance) for one, other in zip(*lines, strict=True)
    )


def _same_line(left: list[str], right: list[str], tolerance: float) -> bool:
    return len(left) == len(right) and all(
        one == other or _close(one, other, tolerance)
        for one, other in zip(left, right, strict=True)
    )


def _close(left: str, right: str, tolerance: float) -> bool:
    try:
        return math.isclose(float(left), float(right), rel_tol=tolerance)
    except ValueError:
        return False


def _without(text: str, pattern: re.Pattern[str]) -> str:
    return "\n".join(line for line in text.splitlines() if not pattern.search(line))


def _call(
    command: Sequence[str],
    limit: float,
    environment: Mapping[str, str],
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            capture_output=True,
            check=False,
            cwd=folder,
            encoding="utf-8",
            env=environment,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=limit,
        )
    except subprocess.TimeoutExpired as error:
        raise MeasurementError(f"{command[0]} took more than {limit:.0f} s") from error
    except OSError as error:
        raise MeasurementError(f"{command[0]}: {error.strerror}") from error
