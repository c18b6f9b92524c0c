"""The real Halide as an oracle: generators compiled against the wheel and run on given data.

Nothing of Halide is part of this project; without the wheel the tests that need it are skipped and
say so. One program holds all generators and runs many jobs, because compiling takes seconds.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2s.bench.pipelines import header, real
from s2s.bench.pipelines.real import wheel
from s2s.net.pipelines.arrays import Array

needs_wheel = pytest.mark.skipif(wheel() is None, reason="the halide wheel is not installed")


@dataclass
class Job:
    """One run of a generator.

    ``outputs``: for each the element types of its components, minima and extents.
    """

    generator: str
    inputs: Mapping[str, Array]
    outputs: Sequence[tuple[Sequence[np.dtype[Any]], tuple[int, ...], tuple[int, ...]]]
    params: Mapping[str, object] = field(default_factory=dict)
    scalars: Mapping[str, float | int] = field(default_factory=dict)
    lowered: bool = False
    loops: bool = False
    unrun: bool = False


@dataclass
class Answer:
    """What the job gave: the arrays of each output's components, or ``error``."""

    outputs: list[list[Array]]
    lowered: str = ""
    loops: str = ""
    error: str | None = None


def build(sources: Sequence[Path]) -> Path:
    """A program that knows the generators of these files, which are compiled as one."""
    folder = Path(tempfile.gettempdir()) / f"s2s-oracle-{os.getuid()}"
    include = header_folder()
    texts = b"".join(path.read_bytes() for path in (real.driver(), *sources))
    # The program loads libHalide.so from the wheel's folder, which may be gone in the next run.
    key = hashlib.sha256(texts + f"{include.name} {wheel()}".encode()).hexdigest()[:16]
    program = folder / f"oracle-{key}"
    with _locked(program):
        if not program.exists():
            real.build(sources, program, include, include / "real.o")
    return program


def header_folder() -> Path:
    """The folder of a Halide.h with the hardware primitives, compiled as the driver is."""
    home = wheel()
    assert home is not None
    folder = Path(tempfile.gettempdir()) / f"s2s-oracle-{os.getuid()}"
    original = home / "include" / "Halide.h"
    key = hashlib.sha256(
        b"".join(
            Path(name).read_bytes() for name in (header.__file__, real.driver(), real.__file__)
        )
        + f"{original} {original.stat().st_mtime}".encode()
    )
    made = folder / f"include-{key.hexdigest()[:8]}"
    with _locked(made):
        if not (made / "real.o").exists():
            header.write(made)
            real.precompile(made)
            real.compile_driver(made, made / "real.o")
    return made


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Only one process makes what belongs there."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.with_name(f"{place.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def run(program: Path, jobs: Sequence[Job], threads: int = 2, timeout: float = 300) -> list[Answer]:
    """The answers of a program from ``build``, job by job."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked = [on_files(job, folder / str(i)) for i, job in enumerate(jobs)]
        said = real.run(program, asked, threads=threads, timeout=timeout)
        return [
            _answer(job, folder / str(i), line)
            for i, (job, line) in enumerate(zip(jobs, said.answers, strict=True))
        ]


def on_files(job: Job, folder: Path) -> real.Job:
    """The job with its arrays in files of a new folder."""
    folder.mkdir()
    inputs = {}
    for name, array in job.inputs.items():
        inputs[name] = real.Image(folder / f"in-{name}", array.minima, array.extents)
        np.ascontiguousarray(array.values).tofile(inputs[name].path)
    return real.Job(
        job.generator,
        inputs,
        [real.Image(folder / f"out-{i}", m, e) for i, (_, m, e) in enumerate(job.outputs)],
        job.params,
        job.scalars,
        lowered=folder / "lowered" if job.lowered else None,
        loops=folder / "loops" if job.loops else None,
        unrun=job.unrun,
    )


def _answer(job: Job, folder: Path, line: str) -> Answer:
    word, _, rest = line.partition(" ")
    texts = [p.read_text() if p.exists() else "" for p in (folder / "lowered", folder / "loops")]
    if word != "ok":
        return Answer([], texts[0], texts[1], rest)
    outputs = []
    for i, (types, minima, extents) in enumerate(job.outputs):
        data = (folder / f"out-{i}").read_bytes()
        outputs.append(_components(data, types, minima, extents))
    return Answer(outputs, texts[0], texts[1])


def _components(
    data: bytes, types: Sequence[np.dtype[Any]], minima: tuple[int, ...], extents: tuple[int, ...]
) -> list[Array]:
    found = []
    position = 0
    shape = tuple(reversed(extents))
    count = int(np.prod(extents, dtype=np.int64))
    for kind in types:
        size = count * np.dtype(kind).itemsize
        values = np.frombuffer(data[position : position + size], kind).reshape(shape)
        found.append(Array(values, minima))
        position += size
    return found
