"""The results of a benchmark: a table for the terminal, JSON, CSV and a plot.

A ratio means nothing without its two baselines, the compiler, the flags and the machine, so every
file carries them. Where nothing was transformed there is no ratio at all.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import platform
import shlex
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import s2s
from s2s.diagnostics import Diagnostic, Severity, UserError
from s2s.measure import ENVIRONMENT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLOT_SUFFIXES = (".pdf", ".png", ".svg")


class Outcome(Enum):
    """What became of a case; only CHANGED has a ratio."""

    CHANGED = "changed"
    UNCHANGED = "unchanged"
    DIFFERENT = "outputs differ"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class Result:
    """One case at one number of threads, the fastest times in seconds."""

    suite: str
    case: str
    variant: str
    threads: int
    outcome: Outcome
    original: float | None = None
    transformed: float | None = None
    published: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Original over transformed time, where both compute the same and the texts differ."""
        if self.outcome is not Outcome.CHANGED or not self.original or not self.transformed:
            return None
        return self.original / self.transformed


@dataclass(frozen=True)
class Setting:
    """All that a time depends on besides the program."""

    date: str
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


@dataclass(frozen=True, kw_only=True)
class Record:
    """A number as JSON and CSV hold it."""

    suite: str
    case: str
    variant: str
    metric: str
    value: float | None
    unit: str
    published: float | None
    note: str


def describe_setting(
    *,
    date: str,
    compiler: str,
    flags: Sequence[str],
    comparison: Sequence[str],
    size: str,
    repeat: int,
    passes: Sequence[str],
) -> Setting:
    """The machine that this runs on, and the names of both baselines."""
    given = {name: os.environ.get(name, value) for name, value in ENVIRONMENT.items()}
    return Setting(
        date=date,
        cpu=_cpu_model(),
        cores=len(os.sched_getaffinity(0)),
        caches=_caches(),
        system=platform.platform(),
        compiler=_compiler_version(compiler),
        flags=shlex.join(flags),
        comparison=f"standard output of builds with {shlex.join(comparison)} added to the flags",
        environment=" ".join(f"{name}={value}" for name, value in given.items()),
        runs=f"minimum of {repeat} interleaved runs after a warm-up; size {size}",
        s2s=s2s.__version__,
        original="the unmodified source, same compiler, flags and number of threads",
        transformed=f"the output of s2s transform --passes {','.join(passes)} for that source",
    )


def table(results: Sequence[Result], setting: Setting) -> str:
    """The results for a terminal, with what they were measured on."""
    head = ("case", "threads", "original s", "transformed s", "ratio", "outcome", "published")
    rows = [head, *(_row(result) for result in results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    left = (0, 5)
    lines = [
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    said = [*_summary(results), *_notes(results)]
    return "\n".join([*lines, "", *said, *([""] if said else []), *_legend(setting)])


def to_json(results: Iterable[Result], setting: Setting) -> bytes:
    records = [asdict(record) for record in _records(results)]
    text = json.dumps({"setting": asdict(setting), "records": records}, indent=2, allow_nan=False)
    return f"{text}\n".encode()


def to_csv(results: Iterable[Result], setting: Setting) -> bytes:
    """The records, after lines that begin with '#' for the setting."""
    stream = io.StringIO()
    for name, value in asdict(setting).items():
        stream.write(f"# {name}: {value}\n")
    writer = csv.DictWriter(stream, list(Record.__annotations__), lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(record) for record in _records(results))
    return stream.getvalue().encode()


def check_plot(path: str) -> None:
    """Raise UserError when a plot cannot be made, before time is spent on its numbers."""
    if Path(path).suffix not in PLOT_SUFFIXES:
        raise _error(f"{path}: a plot is one of {', '.join(PLOT_SUFFIXES)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise _error("a plot needs matplotlib: pip install 's2s[plot]'") from error


def to_plot(results: Sequence[Result], setting: Setting, suffix: str) -> bytes:
    """Bars of the ratios, grouped by case, one colour for each number of threads."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(max(6.0, 1.5 + 0.9 * len({r.case for r in results})), 4.5))
    axes = figure.add_subplot()
    _draw_bars(axes, results)
    figure.text(
        0.01, 0.01, "\n".join(_legend(setting)), fontsize=5, va="bottom", family="monospace"
    )
    figure.subplots_adjust(left=0.1, right=0.98, top=0.95, bottom=0.42)
    stream = io.BytesIO()
    figure.savefig(stream, format=suffix.lstrip("."), dpi=150)
    return stream.getvalue()


def _draw_bars(axes: Axes, results: Sequence[Result]) -> None:
    cases = list(dict.fromkeys(result.case for result in results))
    thread_counts = sorted({result.threads for result in results})
    width = 0.8 / max(1, len(thread_counts))
    for index, threads in enumerate(thread_counts):
        mine = [result for result in results if result.threads == threads]
        places = [cases.index(result.case) + index * width for result in mine]
        ratios = [result.ratio for result in mine]
        heights = [0.0 if ratio is None else ratio for ratio in ratios]
        axes.bar(places, heights, width, label=f"{threads} thread{'s' * (threads > 1)}")
        for place, ratio, result in zip(places, ratios, mine, strict=True):
            label = result.outcome.value if ratio is None else f"{ratio:.2f}"
            axes.text(
                place,
                ratio or 0.03,
                label,
                fontsize=6,
                ha="center",
                va="bottom",
                rotation=90 if ratio is None else 0,
            )
    axes.axhline(1.0, color="black", linewidth=0.8)
    middle = width * (len(thread_counts) - 1) / 2
    axes.set_xticks([place + middle for place in range(len(cases))], cases, rotation=30, ha="right")
    axes.set_ylabel("original time / transformed time")
    axes.legend(fontsize=7)


def _records(results: Iterable[Result]) -> Iterable[Record]:
    for result in results:
        yield _record(result, result.variant, "speedup", result.ratio, "x", result.published)
        original = f"original-{result.threads}t"
        yield _record(result, original, "time", result.original, "s", None)
        if result.transformed is not None:
            yield _record(result, result.variant, "time", result.transformed, "s", None)


def _record(
    result: Result,
    variant: str,
    metric: str,
    value: float | None,
    unit: str,
    published: float | None,
) -> Record:
    note = f"{result.outcome.value}: {result.note}" if result.note else result.outcome.value
    return Record(
        suite=result.suite,
        case=result.case,
        variant=variant,
        metric=metric,
        value=value,
        unit=unit,
        published=published,
        note=note,
    )


def _row(result: Result) -> tuple[str, ...]:
    return (
        result.case,
        str(result.threads),
        _number(result.original, 6),
        _number(result.transformed, 6),
        _number(result.ratio, 2),
        result.outcome.value,
        _number(result.published, 2),
    )


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _summary(results: Sequence[Result]) -> list[str]:
    lines = []
    for variant in dict.fromkeys(result.variant for result in results):
        ratios = [r.ratio for r in results if r.variant == variant and r.ratio is not None]
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            lines.append(f"{variant}: geometric mean of {len(ratios)} changed: {mean:.2f}")
    return lines


def _notes(results: Sequence[Result]) -> list[str]:
    notes = dict.fromkeys(f"{r.case}: {r.outcome.value}: {r.note}" for r in results if r.note)
    return list(notes)


def _legend(setting: Setting) -> list[str]:
    return [f"{name:12} {value}" for name, value in asdict(setting).items()]


def _cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _caches() -> str:
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


def _compiler_version(compiler: str) -> str:
    try:
        command = [*shlex.split(compiler), "--version"]
        result = subprocess.run(command, capture_output=True, check=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise _error(f"cannot run the compiler '{compiler}'") from error
    return result.stdout.splitlines()[0] if result.stdout else compiler


def _error(text: str) -> UserError:
    return UserError(Diagnostic(Severity.ERROR, text, "bench"))
