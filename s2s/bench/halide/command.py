"""``s2s bench halide``: our C against the real Halide, and against no schedule."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from s2s.bench import plots, report
from s2s.bench.halide import own, real, suite
from s2s.bench.halide.extents import Extents, compare
from s2s.bench.halide.setting import describe
from s2s.bench.halide.suite import Application
from s2s.bench.result import Outcome, Record, Result
from s2s.source.diagnostics import UserError
from s2s.source.output import write_file
from s2s.tuning.measure import MeasurementError

DEFAULT_FLAGS = ("-O3", "-march=native", "-fopenmp", "-ffp-contract=off")
SECONDS = 0.4
"""How long each program runs for each of its measurements."""


@dataclass(frozen=True)
class Plan:
    """What to measure and how; ``files`` are those of --json, --csv and --plot."""

    compiler: str = "gcc"
    flags: tuple[str, ...] = DEFAULT_FLAGS
    threads: int = 2
    repeat: int = 3
    size: str = "large"
    only: tuple[str, ...] = ()
    files: tuple[str | None, str | None, str | None] = (None, None, None)


@dataclass
class Row:
    """One application: times in seconds; ``same``: outputs equal bit for bit."""

    name: str
    generator: str = ""
    ours: float | None = None
    halide: float | None = None
    unscheduled: float | None = None
    same: bool | None = None
    extents: Extents | None = None
    note: str = ""

    @property
    def is_bad(self) -> bool:
        return self.ours is None or self.same is False


def run(plan: Plan, out: Path | None) -> int:
    """Measure and print; 0 if everything was built, ran and computed the same, else 1."""
    chosen = [a for a in suite.read(plan.size) if not plan.only or a.name in plan.only]
    rows: list[Row] = []
    with _folder(out) as where:
        program = None
        if real.wheel() is None:
            print("s2s bench: the real Halide is not installed (pip install halide)")
        else:
            program = where / "real"
            real.build(sorted({a.path for a in chosen}), program)
        for application in chosen:
            rows.append(_Trial(application, plan, where / application.name).row(program))
    setting = describe(
        compiler=plan.compiler,
        flags=plan.flags,
        threads=plan.threads,
        size=plan.size,
        repeat=plan.repeat,
        seconds=SECONDS,
    )
    print("\n".join(report.legend(setting)), end="\n\n")
    print(table(rows, plan.threads))
    json, csv, plot = plan.files
    if json:
        write_file(json, report.to_json(_records(rows), setting))
    if csv:
        write_file(csv, report.to_csv(_records(rows), setting))
    if plot:
        results = list(_results(rows, plan.threads))
        write_file(plot, plots.to_plot(results, setting, Path(plot).suffix))
    return 1 if any(row.is_bad for row in rows) else 0


@dataclass
class _Trial:
    """One application in a folder of its own."""

    application: Application
    plan: Plan
    where: Path
    inputs: dict[str, Path] = field(default_factory=dict)

    def row(self, program: Path | None) -> Row:
        row = Row(self.application.name, self.application.generator)
        try:
            self._measure(row, program)
        except UserError as error:
            row.note = "; ".join(d.text for d in error.diagnostics)
        except MeasurementError as error:
            row.note = str(error)
        return row

    def _measure(self, row: Row, program: Path | None) -> None:
        self.where.mkdir(parents=True, exist_ok=True)
        self._make_inputs()
        mine, outputs = self._build(self.application, "scheduled")
        theirs = [path.with_name(f"real-{path.name}") for path in outputs]
        lowered = ""
        for _ in range(self.plan.repeat):
            row.ours = _least(row.ours, self._time(mine))
            if program is not None:
                timed = real.time(
                    program,
                    self.application,
                    self.inputs,
                    theirs,
                    threads=self.plan.threads,
                    seconds=SECONDS,
                )
                row.halide, lowered = _least(row.halide, timed.seconds), timed.lowered
        if program is not None:
            pairs = zip(outputs, theirs, strict=True)
            row.same = all(a.read_bytes() == b.read_bytes() for a, b in pairs)
            row.extents = compare(mine.nest, lowered)
        if self.application.has_plain:
            plain, _ = self._build(self.application.plain, "plain")
            row.unscheduled = self._time(plain)

    def _make_inputs(self) -> None:
        images = self.application.pipeline().images
        for seed, (name, extents) in enumerate(self.application.inputs.items()):
            self.inputs[name] = self.where / f"{name}.raw"
            self.inputs[name].write_bytes(suite.elements(images[name].type, extents, seed))

    def _build(self, application: Application, kind: str) -> tuple[own.Program, list[Path]]:
        place = self.where / kind
        outputs = [place / f"output_{k}.raw" for k in range(len(application.outputs))]
        program = own.build(
            application,
            place,
            self.inputs,
            outputs,
            compiler=self.plan.compiler,
            flags=self.plan.flags,
        )
        return program, outputs

    def _time(self, program: own.Program) -> float:
        return own.time(program, threads=self.plan.threads, seconds=SECONDS)


def _least(before: float | None, now: float) -> float:
    return now if before is None else min(before, now)


def table(rows: Sequence[Row], threads: int) -> str:
    """Times in milliseconds; the ratio is ours over Halide's."""
    head = ["application", "ours ms", "Halide ms", "ratio", "no schedule ms", "same", "extents"]
    body = [
        [
            row.name,
            _milliseconds(row.ours),
            _milliseconds(row.halide),
            f"{row.ours / row.halide:.2f}" if row.ours and row.halide else "-",
            _milliseconds(row.unscheduled),
            {True: "yes", False: "NO", None: "-"}[row.same],
            f"{row.extents.equal}/{len(row.extents.loops)}" if row.extents else "-",
            row.note,
        ]
        for row in rows
    ]
    widths = [max(len(line[k]) for line in [head, *body]) for k in range(len(head))]
    lines = [f"{threads} thread{'s' * (threads > 1)}, least times"]
    for line in [head, *body]:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=False)]
        lines.append("  ".join([*cells, *line[len(head) :]]).rstrip())
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
    return "-" if seconds is None else f"{1e3 * seconds:.3f}"


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
                suite=suite.NAME,
                case=row.name,
                variant=variant,
                metric=metric,
                value=value,
                unit=unit,
                published=None,
                note=row.note,
            )


def _results(rows: Sequence[Row], threads: int) -> Iterator[Result]:
    """Speedups for the plot: Halide's time, and that without a schedule, over ours."""
    for row in rows:
        for variant, seconds in (("halide", row.halide), ("no schedule", row.unscheduled)):
            if seconds is not None or row.ours is None:
                yield Result(
                    suite=suite.NAME,
                    case=row.name,
                    variant=variant,
                    threads=threads,
                    outcome=Outcome.CHANGED if row.ours else Outcome.FAILED,
                    baseline=variant,
                    original=seconds,
                    transformed=row.ours,
                )


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="s2s-halide-") as temporary:
        yield Path(temporary)
