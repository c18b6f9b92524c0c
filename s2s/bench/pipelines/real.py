"""The real Halide, where its wheel is installed: programs of generators, built with it and run."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

from s2s.bench.pipelines.applications import MEMORY, Application, folder
from s2s.source.records import dataclass
from s2s.tuning.measure import MeasurementError


def wheel() -> Path | None:
    """The folder of the installed wheel, with ``include`` and ``lib64`` in it."""
    found = importlib.util.find_spec("halide")
    if found is None or found.origin is None:
        return None
    home = Path(found.origin).parent
    return home if (home / "include" / "Halide.h").is_file() else None


@dataclass(frozen=True)
class Image:
    """A file with the elements of an image: minimum and extent by dimension, innermost first."""

    path: Path
    minima: tuple[int, ...]
    extents: tuple[int, ...]

    def words(self) -> str:
        pairs = zip(self.minima, self.extents, strict=True)
        return " ".join([str(self.path), *(f"{m} {e}" for m, e in pairs)])


@dataclass(frozen=True)
class Job:
    """One run of a generator, as ``real.cpp`` reads it.

    ``lowered`` and ``loops`` are files for the lowered program and for what ``print_loop_nest``
    shows. It is repeated for so many ``seconds``. ``plain``: floats not as written
    (``strict_float``, as the emitted C has them) but as fast as Halide makes them. ``unrun``: the
    program is lowered and no more.
    """

    generator: str
    inputs: Mapping[str, Image]
    outputs: Sequence[Image]
    params: Mapping[str, object] = field(default_factory=dict)
    scalars: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    lowered: Path | None = None
    loops: Path | None = None
    plain: bool = False
    unrun: bool = False

    def script(self) -> str:
        """The lines for the program's standard input."""
        lines = [f"job {self.generator}"]
        lines += [f"param {name} {value}" for name, value in self.params.items()]
        lines += [f"scalar {name} {value}" for name, value in self.scalars.items()]
        lines += [f"input {name} {image.words()}" for name, image in self.inputs.items()]
        lines += [f"output {image.words()}" for image in self.outputs]
        lines += [f"lowered {self.lowered}"] if self.lowered else []
        lines += [f"loops {self.loops}"] if self.loops else []
        lines += [f"time {self.seconds}"] if self.seconds else []
        lines += ["plain"] if self.plain else []
        lines += ["unrun"] if self.unrun else []
        return "\n".join([*lines, "run", ""])


@dataclass(frozen=True)
class Said:
    """What a program printed: a line for each job (``ok SECONDS``, ``error MESSAGE``)."""

    answers: list[str]
    errors: str


def driver() -> Path:
    """The C++ file with the ``main`` that reads jobs."""
    return folder() / "real.cpp"


def build(
    sources: Sequence[Path], program: Path, include: Path | None = None, made: Path | None = None
) -> None:
    """One program with all generators of these files; raises MeasurementError.

    ``include``: a folder with another Halide.h, before the wheel's. ``made``: the driver as it was
    compiled by ``compile_driver``.
    """
    home = wheel()
    assert home is not None
    together = program.with_name(f"{program.name}.cpp")
    paths = sources if made else [driver(), *sources]
    lines = ("Halide.h", *(path.resolve() for path in paths))
    together.write_text("".join(f'#include "{line}"\n' for line in lines))
    _compile(
        *(*_folders(include), str(together), *([str(made)] if made else [])),
        *(f"-L{home}/lib64", "-lHalide", f"-Wl,-rpath,{home}/lib64", "-o", f"{program}.new"),
    )
    os.replace(f"{program}.new", program)


def precompile(include: Path) -> None:
    """Let the compiler find the Halide.h of a folder as it has it in memory."""
    header = include / "Halide.h"
    _compile("-x", "c++-header", *_folders(include), str(header), "-o", f"{header}.gch.new")
    os.replace(f"{header}.gch.new", f"{header}.gch")


def compile_driver(include: Path, made: Path) -> None:
    """The driver as an object file, for programs with the Halide.h of a folder."""
    _compile("-c", *_folders(include), str(driver()), "-o", str(made))


def _folders(include: Path | None) -> list[str]:
    home = wheel()
    assert home is not None
    return [f"-I{place}" for place in (*([include] if include else []), home / "include")]


def _compile(*arguments: str) -> None:
    command = ["g++", "-std=c++17", "-O0", "-w", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MeasurementError(f"the real Halide: {done.stderr.strip()[:4000]}")


def run(
    program: Path,
    jobs: Sequence[Job],
    *,
    threads: int,
    timeout: float | None = None,
    environment: Mapping[str, str] | None = None,
) -> Said:
    """What a program from ``build`` says to some jobs; raises MeasurementError."""
    done = subprocess.run(
        [str(program)],
        input="".join(job.script() for job in jobs),
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, "HL_NUM_THREADS": str(threads), **(environment or {})},
        check=False,
    )
    # Generators may print, too.
    answers = [line for line in done.stdout.splitlines() if line.startswith(("ok ", "error "))]
    if len(answers) != len(jobs):
        raise MeasurementError(f"{len(answers)} answers of {len(jobs)}: {done.stderr[-2000:]}")
    return Said(answers, done.stderr)


@dataclass(frozen=True)
class Timed:
    """The least time in seconds, and the lowered program for these sizes."""

    seconds: float
    lowered: str


def time(
    program: Path,
    application: Application,
    inputs: Mapping[str, Path],
    outputs: Sequence[Path],
    *,
    threads: int,
    seconds: float,
) -> Timed:
    """Run one generator for so long; its outputs are written to files."""
    with tempfile.TemporaryDirectory() as place:
        lowered = Path(place) / "lowered"
        job = Job(
            application.generator,
            {name: _image(inputs[name], e) for name, e in application.inputs.items()},
            [_image(p, e) for p, e in zip(outputs, application.outputs, strict=True)],
            application.params,
            application.scalars,
            seconds=seconds,
            lowered=lowered,
        )
        (answer,) = run(program, [job], threads=threads, environment=MEMORY).answers
        word, _, rest = answer.partition(" ")
        if word != "ok":
            raise MeasurementError(f"the real Halide: {rest[:400]}")
        return Timed(float(rest), lowered.read_text(encoding="utf-8"))


def _image(path: Path, extents: tuple[int, ...]) -> Image:
    return Image(path, (0,) * len(extents), extents)
