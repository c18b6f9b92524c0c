"""The real Halide, where its wheel is installed: generators built with it and timed."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from s2s.halide.suite import Application, folder
from s2s.measure import MeasurementError


def wheel() -> Path | None:
    """The folder of the installed wheel, with ``include`` and ``lib64`` in it."""
    found = importlib.util.find_spec("halide")
    if found is None or found.origin is None:
        return None
    home = Path(found.origin).parent
    return home if (home / "include" / "Halide.h").is_file() else None


@dataclass(frozen=True)
class Timed:
    """The least time in seconds, and the lowered program for these sizes."""

    seconds: float
    lowered: str


def build(applications: Sequence[Application], where: Path) -> Path:
    """One program with all generators; raises MeasurementError."""
    home = wheel()
    assert home is not None
    together = where / "real.cpp"
    paths = [folder() / "real.cpp", *sorted({a.path for a in applications})]
    together.write_text("".join(f'#include "{path.resolve()}"\n' for path in paths))
    program = where / "real"
    command = [
        *("g++", "-std=c++17", "-O0", "-w", "-I", f"{home}/include", str(together)),
        *("-L", f"{home}/lib64", "-lHalide", f"-Wl,-rpath,{home}/lib64", "-o", str(program)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MeasurementError(f"the real Halide: {done.stderr.strip()[:400]}")
    return program


def time(
    program: Path,
    application: Application,
    inputs: Mapping[str, Path],
    outputs: Sequence[Path],
    *,
    threads: int,
    seconds: float,
    strict: bool,
) -> Timed:
    """Run one generator for so long; its outputs are written to files.

    ``strict``: floats as written (``strict_float``), as the emitted C has them.
    """
    lowered = outputs[0].with_suffix(".stmt")
    lines = [f"job {application.generator}"]
    lines += [f"param {key} {value}" for key, value in application.params.items()]
    lines += [f"scalar {key} {value}" for key, value in application.scalars.items()]
    for name, extents in application.inputs.items():
        lines.append(f"input {name} {inputs[name]} {_region(extents)}")
    for path, extents in zip(outputs, application.outputs, strict=True):
        lines.append(f"output {path} {_region(extents)}")
    lines += [f"lowered {lowered}", f"time {seconds}", *([] if strict else ["plain"]), "run", ""]
    environment = {**os.environ, "HL_NUM_THREADS": str(threads)}
    done = subprocess.run(
        [str(program)],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    word, _, rest = done.stdout.strip().partition(" ")
    if word != "ok":
        raise MeasurementError(f"the real Halide: {rest or done.stderr.strip()[:400]}")
    return Timed(float(rest), lowered.read_text(encoding="utf-8"))


def _region(extents: Sequence[int]) -> str:
    return " ".join(f"0 {extent}" for extent in extents)
