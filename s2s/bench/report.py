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
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime

from s2s.bench.descriptions import bench_error
from s2s.bench.records import Record
from s2s.tuning import key

Setting = Mapping[str, object]


def machine_setting(first: Setting | None = None, **more: object) -> Setting:
    """The time and the machine that this runs on, after ``first``, and what else is given."""
    return {
        "date": now(),
        **(first or {}),
        "cpu": key.processor() or platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "caches": _caches(),
        "system": platform.platform(),
        **more,
    }


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def to_json(records: Iterable[Record], setting: Setting) -> bytes:
    rows = [asdict(record) for record in records]
    text = json.dumps({"setting": setting, "records": rows}, indent=2, allow_nan=False)
    return f"{text}\n".encode()


def to_csv(records: Iterable[Record], setting: Setting) -> bytes:
    """The records, after lines that begin with '#' for the setting."""
    stream = io.StringIO()
    for name, value in setting.items():
        stream.write(f"# {name}: {value}\n")
    writer = csv.DictWriter(stream, list(Record.__annotations__), lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(record) for record in records)
    return stream.getvalue().encode()


def legend(setting: Setting) -> list[str]:
    """The setting as lines."""
    return [f"{name:12} {value}" for name, value in setting.items()]


def _caches() -> str:
    """Sizes of the first core's caches, for example 'L1 Data 48K, L2 1M'."""
    names = (
        f"L{level} {size}" if kind == "Unified" else f"L{level} {kind} {size}"
        for kind, level, size in key.caches_of_a_core()
    )
    return ", ".join(names) or "unknown"


def compiler_version(compiler: str) -> str:
    try:
        command = [*shlex.split(compiler), "--version"]
        result = subprocess.run(command, capture_output=True, check=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise bench_error(f"cannot run the compiler '{compiler}'") from error
    return result.stdout.splitlines()[0] if result.stdout else compiler
