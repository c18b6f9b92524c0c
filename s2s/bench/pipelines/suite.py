"""Halide pipelines: our C against the real Halide, and against no schedule."""

from __future__ import annotations

import importlib.metadata
import shlex
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import s2s
from s2s.bench import report
from s2s.bench.pipelines import real
from s2s.bench.pipelines.applications import MEMORY, NAME, Application, read
from s2s.bench.pipelines.trial import DEFAULT_FLAGS, SECONDS, Row, Trial, threads
from s2s.bench.programs.result import Result
from s2s.bench.records import Outcome, Record
from s2s.bench.suite import Request, Suite, choose
from s2s.bench.tables import number, table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Pipelines(Suite[Application, Row]):
    """All applications, or those that were asked for."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.threads = threads(request)
        every = read("small" if request.size == "small" else "large")
        names = choose("application", [one.name for one in every], request.only)
        self.cases = [one for one in every if one.name in names]
        self.setting = _setting(request)
        self._real = cache(self._build_real)

    def measure(self, case: Application, folder: Path) -> Iterator[Row]:
        program = self._real(folder)
        yield Trial(case, self.request, folder / case.name).row(program)

    def _build_real(self, folder: Path) -> Path | None:
        """The program with all generators; None where the real Halide is not installed."""
        if real.wheel() is None:
            print("s2s bench: the real Halide is not installed (pip install halide)")
            return None
        real.build(sorted({one.path for one in self.cases}), folder / "real")
        return folder / "real"

    def text(self, rows: Sequence[Row]) -> str:
        return "\n".join([*report.legend(self.setting), "", render(rows, self.threads)])

    def records(self, rows: Sequence[Row]) -> Iterator[Record]:
        return _records(rows)

    def figure(self, rows: Sequence[Row]) -> Figure:
        from s2s.bench.programs.plots import draw

        return draw(list(_results(rows, self.threads)), self.setting)

    def is_good(self, rows: Sequence[Row]) -> bool:
        return not any(row.is_bad for row in rows)


suite = Pipelines


def _setting(request: Request) -> report.Setting:
    """The machine that this runs on, what is compared, and with what."""
    size = "small" if request.size == "small" else "large"
    return report.machine_setting(
        compiler=report.compiler_version(request.compiler or "gcc"),
        flags=shlex.join(request.given_flags(DEFAULT_FLAGS)),
        threads=threads(request),
        environment=" ".join(f"{name}={value}" for name, value in MEMORY.items())
        + ": both keep freed memory, as a process with a large heap does",
        runs=f"least time of a call in {request.repeat} interleaved runs of {SECONDS} s; "
        f"size {size}",
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


def render(rows: Sequence[Row], threads: int) -> str:
    """Times in milliseconds; the ratio is ours over Halide's."""
    head = ["application", "ours ms", "Halide ms", "ratio", "no schedule ms", "same", "extents", ""]
    body = [
        [
            row.name,
            _milliseconds(row.ours),
            _milliseconds(row.halide),
            number(row.ours / row.halide if row.ours and row.halide else None),
            _milliseconds(row.unscheduled),
            {True: "yes", False: "NO", None: "-"}[row.same],
            f"{row.extents.equal}/{len(row.extents.loops)}" if row.extents else "-",
            row.note,
        ]
        for row in rows
    ]
    lines = [f"{threads} thread{'s' * (threads > 1)}, least times"]
    lines.append(table(head, body, left=(0, len(head) - 1), ruled=False))
    for row in rows:
        if row.extents:
            lines += [
                f"  {row.name}: {name} runs {ours} times, Halide's {theirs}"
                for name, (ours, theirs) in row.extents.loops.items()
                if ours != theirs
            ]
    return "\n".join([*lines, *_spans(rows)])


def _spans(rows: Sequence[Row]) -> Iterator[str]:
    """How far apart several schedules of one generator are."""
    times: dict[str, list[float]] = {}
    for row in rows:
        if row.ours:
            times.setdefault(row.generator, []).append(row.ours)
    for generator, found in times.items():
        if len(found) > 1:
            span = max(found) / min(found)
            yield f"  {generator}: {span:.1f} between the slowest and the fastest schedule"


def _milliseconds(seconds: float | None) -> str:
    return number(None if seconds is None else 1e3 * seconds, 3)


def _records(rows: Sequence[Row]) -> Iterator[Record]:
    for row in rows:
        values: list[tuple[str, str, float | str | None, str]] = [
            ("s2s", "time", row.ours, "s"),
            ("halide", "time", row.halide, "s"),
            ("no schedule", "time", row.unscheduled, "s"),
        ]
        if row.ours and row.halide:
            values.append(("s2s", "time over halide", row.ours / row.halide, "x"))
        if row.extents is not None:
            values.append(("s2s", "loops", len(row.extents.loops), ""))
            values.append(("s2s", "loops with equal extents", row.extents.equal, ""))
        for variant, metric, value, unit in values:
            yield Record(
                suite=NAME, case=row.name, variant=variant, metric=metric, value=value, unit=unit,
                note=row.note,
            )  # fmt: skip


def _results(rows: Sequence[Row], threads: int) -> Iterator[Result]:
    """Speedups for the plot: Halide's time, and that without a schedule, over ours."""
    for row in rows:
        for variant, seconds in (("halide", row.halide), ("no schedule", row.unscheduled)):
            if seconds is not None or row.ours is None:
                yield Result(
                    suite=NAME, case=row.name, variant=variant, threads=threads,
                    outcome=Outcome.CHANGED if row.ours else Outcome.FAILED, baseline=variant,
                    original=seconds, transformed=row.ours,
                )  # fmt: skip
