"""What the times of ``s2s bench halide`` depend on besides the programs, and its baselines."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import s2s
from s2s.bench import report
from s2s.bench.halide.suite import MEMORY


@dataclass(frozen=True)
class Setting:
    """Written in front of the numbers, and below a plot."""

    date: str
    cpu: str
    cores: int
    caches: str
    system: str
    compiler: str
    flags: str
    threads: int
    environment: str
    runs: str
    s2s: str
    halide: str
    plain: str
    comparison: str


def describe(
    *, compiler: str, flags: Sequence[str], threads: int, size: str, repeat: int, seconds: float
) -> Setting:
    """The machine that this runs on, what is compared, and with what."""
    return Setting(
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        cpu=report.cpu_model(),
        cores=len(os.sched_getaffinity(0)),
        caches=report.caches(),
        system=platform.platform(),
        compiler=report.compiler_version(compiler),
        flags=shlex.join(flags),
        threads=threads,
        environment=" ".join(f"{name}={value}" for name, value in MEMORY.items())
        + ": both keep freed memory, as a process with a large heap does",
        runs=f"least time of a call in {repeat} interleaved runs of {seconds} s; size {size}",
        s2s=f"s2s {s2s.__version__}: the C of each application, schedule applied",
        halide=_halide(),
        plain="no schedule: our C for the same algorithm without one, same compiler and flags",
        comparison="outputs of s2s and of Halide, byte for byte",
    )


def _halide() -> str:
    try:
        version = importlib.metadata.version("halide")
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
    return (
        f"Halide {version}, the same generator and schedule, compiled for this machine "
        "with strict_float"
    )
