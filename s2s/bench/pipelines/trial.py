"""One pipeline: our C and the real Halide in turn, and our C without a schedule."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from s2s.bench.pipelines import applications, own, real
from s2s.bench.pipelines.applications import Application
from s2s.bench.pipelines.extents import Extents, compare
from s2s.bench.suite import Request, thread_counts
from s2s.source.diagnostics import UserError
from s2s.source.records import dataclass
from s2s.tuning.measure import MeasurementError

DEFAULT_FLAGS = "-O3 -march=native -fopenmp -ffp-contract=off"
SECONDS = 0.4
"""How long each program runs for each of its measurements."""


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


def threads(request: Request) -> int:
    """How many threads all programs have."""
    return max(request.threads or thread_counts())


@dataclass
class Trial:
    """One application in a folder of its own."""

    application: Application
    request: Request
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
        for _ in range(self.request.repeat):
            row.ours = _least(row.ours, self._time(mine))
            if program is not None:
                timed = real.time(
                    program,
                    self.application,
                    self.inputs,
                    theirs,
                    threads=threads(self.request),
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
            self.inputs[name].write_bytes(applications.elements(images[name].type, extents, seed))

    def _build(self, application: Application, kind: str) -> tuple[own.Program, list[Path]]:
        place = self.where / kind
        outputs = [place / f"output_{k}.raw" for k in range(len(application.outputs))]
        program = own.build(
            application,
            place,
            self.inputs,
            outputs,
            compiler=self.request.compiler or "gcc",
            flags=self.request.given_flags(DEFAULT_FLAGS),
        )
        return program, outputs

    def _time(self, program: own.Program) -> float:
        return own.time(program, threads=threads(self.request), seconds=SECONDS)


def _least(before: float | None, now: float) -> float:
    return now if before is None else min(before, now)
