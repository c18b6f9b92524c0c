"""The process that runs the loops of one text; benchmarks/suites/loops.h has the protocol."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import time
from pathlib import Path

from s2s.source.records import dataclass
from s2s.tuning.measure import MeasurementError

LIMIT_SECONDS = 60.0


@dataclass(frozen=True)
class Timing:
    """Seconds of one request, and what the loop computed."""

    seconds: float
    result: float


@dataclass(frozen=True)
class Digest:
    """What a loop left behind: a hash of all bits, and two sums of each array."""

    bits: str
    sums: tuple[float, ...]


class Server:
    """Runs loops on request, on one core; a loop that ends the process fails, the next one runs."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self._core = max(os.sched_getaffinity(0))
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def time(self, loop: str, sweeps: int) -> Timing:
        """Run a loop on the suite's data. Raises MeasurementError."""
        seconds, result = self._ask(f"time {loop} {sweeps}")
        return Timing(float(seconds), float(result))

    def check(self, loop: str, seed: int, *, signed: bool) -> Digest:
        """Run a loop on random data. Raises MeasurementError."""
        bits, *sums = self._ask(f"check {loop} {seed} {int(signed)}")
        return Digest(bits, tuple(map(float, sums)))

    def _ask(self, request: str) -> list[str]:
        process = self._process = self._process or self._start()
        assert process.stdin and process.stdout
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(f"{request}\n".encode())
            process.stdin.flush()
        answer = _line(process.stdout.fileno(), LIMIT_SECONDS)
        if not answer.endswith(b"\n"):
            self._stop()
            raise MeasurementError(f"'{request}' got no answer")
        return answer.decode().split()

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                [str(self.program.absolute())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                preexec_fn=lambda: os.sched_setaffinity(0, {self._core}),
            )
        except OSError as error:
            raise MeasurementError(f"{self.program}: {error.strerror}") from error

    def _stop(self) -> None:
        if self._process is None:
            return
        process, self._process = self._process, None
        process.kill()
        process.communicate()


def _line(stream: int, limit: float) -> bytes:
    """A line of a pipe; less where it ends or nothing comes in time."""
    end, found = time.monotonic() + limit, b""
    while not found.endswith(b"\n"):
        ready, _, _ = select.select([stream], [], [], max(0.0, end - time.monotonic()))
        part = os.read(stream, 1 << 16) if ready else b""
        if not part:
            break
        found += part
    return found
