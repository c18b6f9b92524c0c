"""Runs of programs for ``s2s verify``: what each prints, how it ends, and where two differ."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from typing import NamedTuple

from s2s.driver.child import Limit
from s2s.source import work_done
from s2s.source.records import dataclass

DEFAULT_FLAGS = ("-O2", "-fopenmp")
_CONFIRMING_RUNS = 10
_SANITIZER_STATUS = 86
_OUTPUT_LIMIT = 256 * 1024 * 1024


@dataclass(frozen=True)
class Plan:
    """How programs are built and run."""

    compiler: str = "gcc"
    flags: tuple[str, ...] = DEFAULT_FLAGS
    threads: tuple[int, ...] = (1, 2, 3)
    runs: int = 1
    timeout: float = 60.0
    sanitize: str = ""
    arguments: tuple[str, ...] = ()
    time_limit: int = Limit.processor


class _Run(NamedTuple):
    """What a program did; ``status`` is None if it had to be stopped."""

    status: int | None
    output: bytes


class JudgedError(Exception):
    """Ends the work on a program with an outcome."""

    def __init__(self, outcome: str, detail: str = "") -> None:
        super().__init__(outcome)
        self.outcome = outcome
        self.detail = detail


def headline(said: str) -> str:
    """The line of a compiler's or linker's messages that says what is wrong."""
    lines = said.strip().splitlines() or ["no message"]
    telling = ("error", "undefined", "multiple definition", "cannot find")
    return next((line for line in lines if any(word in line for word in telling)), lines[-1])


def compare_all(original: str, transformed: str, plan: Plan) -> None:
    """Run both programs with each number of threads; raises at the first difference."""
    for threads in plan.threads:
        before = run_once(original, plan, threads)
        work_done.advance()
        if before.status is None:
            raise JudgedError("not-judged", f"{_with(threads)} the original {_unended(before)}")
        if plan.sanitize and before.status == _SANITIZER_STATUS:
            raise JudgedError("not-judged", "the sanitizer objects to the original")
        for _ in range(plan.runs):
            after = run_once(transformed, plan, threads)
            work_done.advance()
            if after != before:
                _confirm(original, before, plan, threads)
                raise _difference(before, after, threads)


def _confirm(original: str, before: _Run, plan: Plan, threads: int) -> None:
    """Raise unless the original does the same again and again."""
    for _ in range(_CONFIRMING_RUNS):
        if run_once(original, plan, threads) != before:
            detail = f"{_with(threads)} the original's own runs differ"
            raise JudgedError("unstable", detail)


def _difference(before: _Run, after: _Run, threads: int) -> JudgedError:
    if after.status is None:
        return JudgedError("timeout", f"{_with(threads)} the program {_unended(after)}")
    if after.status != before.status:
        detail = f"{_ended(before.status)} became {_ended(after.status)}"
    else:
        detail = _first_difference(before.output, after.output)
    return JudgedError("different", f"{_with(threads)} {detail}")


def _with(threads: int) -> str:
    return f"with {threads} thread{'s' if threads > 1 else ''}:"


def _unended(run: _Run) -> str:
    return "prints too much" if len(run.output) > _OUTPUT_LIMIT else "does not end in time"


def _ended(status: int | None) -> str:
    if status == _SANITIZER_STATUS:
        return f"exit status {status} (of sanitizers)"
    return f"signal {-status}" if status and status < 0 else f"exit status {status}"


def _first_difference(before: bytes, after: bytes) -> str:
    old, new = before.split(b"\n"), after.split(b"\n")
    line = next(
        (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b),
        min(len(old), len(new)),
    )
    shown = [_shown(lines[line]) if line < len(lines) else "nothing" for lines in (old, new)]
    return f"line {line + 1} of the output: {shown[0]} became {shown[1]}"


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 60 else text[:60] + "...")


def run_once(program: str, plan: Plan, threads: int) -> _Run:
    """Run a program and stop it, with all that it started, when its time is over."""
    process = subprocess.Popen(
        [program, *plan.arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(threads),
        start_new_session=True,
    )
    assert process.stdout is not None
    end = time.monotonic() + plan.timeout
    with process.stdout as stream:
        try:
            output, ended = _read_output(stream.fileno(), end)
            left = max(0.0, end - time.monotonic())
            return _Run(process.wait(left) if ended else None, output)
        except subprocess.TimeoutExpired:
            return _Run(None, output)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _read_output(stream: int, end: float) -> tuple[bytes, bool]:
    """What a program prints, and whether it came to its end in time and below the limit."""
    pieces: list[bytes] = []
    size = 0
    while select.select([stream], [], [], max(0.0, end - time.monotonic()))[0]:
        piece = os.read(stream, 1 << 20)
        pieces.append(piece)
        size += len(piece)
        if not piece or size > _OUTPUT_LIMIT:
            return b"".join(pieces), not piece
    return b"".join(pieces), False


def _environment(threads: int) -> dict[str, str]:
    """Sanitizers end a program with a status of their own; leaks are the original's business."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_DYNAMIC="false")
    options = {
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "halt_on_error=1",
        "TSAN_OPTIONS": "ignore_noninstrumented_modules=1",
    }
    for name, value in options.items():
        ours = f"{value}:exitcode={_SANITIZER_STATUS}"
        environment[name] = ":".join(filter(None, (os.environ.get(name), ours)))
    return environment
