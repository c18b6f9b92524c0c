"""What a benchmark was measured on, and the files that carry it together with the numbers.

A ratio means nothing without its two baselines, the compiler, the flags and the machine, so every
file has them.
"""

from __future__ import annotations

import csv
import io
import json
import os
import platform
import shlex
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import s2s
from s2s.bench.result import Record
from s2s.bench.suite import Case
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.tuning.measure import ENVIRONMENT

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True)
class Setting:
    """All that a time depends on besides the program."""

    date: str
    suites: str
    cpu: str
    cores: int
    caches: str
    system: str
    compiler: str
    flags: str
    comparison: str
    environment: str
    runs: str
    s2s: str
    original: str
    transformed: str
    nohb: str


def describe_setting(
    *,
    date: str,
    cases: Sequence[Case],
    compiler: str,
    flags: Sequence[str] | None,
    comparison: Sequence[str],
    size: str,
    repeat: int,
    options: Sequence[str],
) -> Setting:
    """The machine that this runs on, and the names of both baselines."""
    given = {name: os.environ.get(name, value) for name, value in ENVIRONMENT.items()}
    releases = dict.fromkeys(f"{case.suite} {case.release}".strip() for case in cases)
    return Setting(
        date=date,
        suites=", ".join(releases),
        cpu=cpu_model(),
        cores=len(os.sched_getaffinity(0)),
        caches=caches(),
        system=platform.platform(),
        compiler=compiler_version(compiler),
        flags="those of each program's own build" if flags is None else shlex.join(flags),
        comparison=f"standard output of builds with {shlex.join(comparison)} added to the flags",
        environment=" ".join(f"{name}={value}" for name, value in given.items()),
        runs=f"minimum of {repeat} interleaved runs after a warm-up; size {size}",
        s2s=s2s.__version__,
        original="the unmodified source, same compiler, flags and number of threads "
        "(sequential programs: one thread)",
        transformed=f"the output of {shlex.join(['s2s', 'transform', *options])} for that source",
        nohb="the same with --no-happens-before: ordered as the serial elision",
    )


def to_json(records: Iterable[Record], setting: DataclassInstance) -> bytes:
    rows = [asdict(record) for record in records]
    text = json.dumps({"setting": asdict(setting), "records": rows}, indent=2, allow_nan=False)
    return f"{text}\n".encode()


def to_csv(records: Iterable[Record], setting: DataclassInstance) -> bytes:
    """The records, after lines that begin with '#' for the setting."""
    stream = io.StringIO()
    for name, value in asdict(setting).items():
        stream.write(f"# {name}: {value}\n")
    writer = csv.DictWriter(stream, list(Record.__annotations__), lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(record) for record in records)
    return stream.getvalue().encode()


def legend(setting: DataclassInstance) -> list[str]:
    """The setting as lines."""
    return [f"{name:12} {value}" for name, value in asdict(setting).items()]


def cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def caches() -> str:
    """Sizes of the first core's caches as Linux tells them, for example 'L1 Data 48K, L2 1M'."""
    found = []
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            level, kind, size = (
                (folder / name).read_text(encoding="utf-8").strip()
                for name in ("level", "type", "size")
            )
        except OSError:
            continue
        found.append(f"L{level} {size}" if kind == "Unified" else f"L{level} {kind} {size}")
    return ", ".join(found) or "unknown"


def compiler_version(compiler: str) -> str:
    try:
        command = [*shlex.split(compiler), "--version"]
        result = subprocess.run(command, capture_output=True, check=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise _error(f"cannot run the compiler '{compiler}'") from error
    return result.stdout.splitlines()[0] if result.stdout else compiler


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "bench"))
