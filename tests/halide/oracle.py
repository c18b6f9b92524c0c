"""The real Halide as an oracle: generators compiled against the wheel and run on given data.

Nothing of Halide is part of this project; without the wheel the tests that need it are skipped and
say so. One program holds all generators and runs many jobs, because compiling takes seconds.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

_DRIVER = Path(__file__).parents[2] / "benchmarks" / "halide" / "real.cpp"


@cache
def wheel() -> Path | None:
    """The folder of the installed wheel, with ``include`` and ``lib64`` in it."""
    found = importlib.util.find_spec("halide")
    if found is None or found.origin is None:
        return None
    return Path(found.origin).parent


needs_wheel = pytest.mark.skipif(wheel() is None, reason="the halide wheel is not installed")


@dataclass(frozen=True)
class Array:
    """Elements with the minimum of each dimension; ``values`` has the first dimension last."""

    values: NDArray[Any]
    minima: tuple[int, ...]

    @property
    def extents(self) -> tuple[int, ...]:
        return tuple(reversed(self.values.shape))


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
    seconds: float = 0.0
    lowered: bool = False
    loops: bool = False
    plain: bool = False


@dataclass
class Answer:
    """What the job gave: the arrays of each output's components, or ``error``."""

    outputs: list[list[Array]]
    seconds: float = 0.0
    lowered: str = ""
    loops: str = ""
    error: str | None = None


def build(sources: Sequence[Path], folder: Path | None = None) -> Path:
    """A program that knows the generators of these files, which are compiled as one."""
    home = wheel()
    assert home is not None
    folder = folder or Path(tempfile.gettempdir()) / f"s2s-oracle-{os.getuid()}"
    folder.mkdir(parents=True, exist_ok=True)
    header = _header(home, folder)
    files = [_DRIVER, *sources]
    texts = b"".join(path.read_bytes() for path in files)
    key = hashlib.sha256(texts + str(header).encode()).hexdigest()[:16]
    program = folder / f"oracle-{key}"
    if not program.exists():
        together = folder / f"oracle-{key}.cpp"
        together.write_text("".join(f'#include "{path.resolve()}"\n' for path in files))
        _call(
            *("g++", "-std=c++17", "-O0", "-w", "-I", str(header.parent), "-I", f"{home}/include"),
            *(str(together), "-L", f"{home}/lib64", "-lHalide", f"-Wl,-rpath,{home}/lib64"),
            *("-o", f"{program}.new"),
        )
        os.replace(f"{program}.new", program)
    return program


_PRIMITIVES = """
    template<typename... Anything> {0} &hw_accelerate(Anything &&...) {{ return *this; }}
    template<typename... Anything> {0} &accelerator_input(Anything &&...) {{ return *this; }}
    template<typename... Anything> {0} &stream_to_accelerator(Anything &&...) {{ return *this; }}
    template<typename... Anything> {0} &accelerate_call_output(Anything &&...) {{ return *this; }}
    template<typename... Anything> {0} &compute_share_root(Anything &&...) {{ return *this; }}
    template<typename... Anything> {0} &compute_share(Anything &&...) {{ return *this; }}
    template<typename... Anything> {0} &coarse_grain_loop(Anything &&...) {{ return *this; }}
    template<typename... Anything> {0} &linebuffer(Anything &&...) {{ return *this; }}
    template<typename... Anything> {0} &fifo_depth(Anything &&...) {{ return *this; }}
    template<typename... Anything> {0} &output_rate(Anything &&...) {{ return *this; }}
"""


def _header(home: Path, folder: Path) -> Path:
    """A copy of the wheel's header, made here and now, that has the hardware primitives too."""
    original = home / "include" / "Halide.h"
    key = hashlib.sha256(_PRIMITIVES.encode() + str(original.stat().st_mtime).encode())
    made = folder / f"include-{key.hexdigest()[:8]}" / "Halide.h"
    if made.exists():
        return made
    text = original.read_text(encoding="utf-8")
    for owner in ("Func", "Stage"):
        text = _with_primitives(text, owner)
    text = re.sub(r"(enum class MemoryType \{)", r"\1 ROM = 2001, GLB = 2002,", text)
    made.parent.mkdir(exist_ok=True)
    made.with_suffix(".new").write_text(text, encoding="utf-8")
    os.replace(made.with_suffix(".new"), made)
    return made


def _with_primitives(text: str, owner: str) -> str:
    """The members go behind the first ``public:`` of the class."""
    start = re.search(rf"^class {owner} \{{", text, re.MULTILINE)
    assert start is not None
    place = text.index("public:", start.end()) + len("public:")
    return text[:place] + _PRIMITIVES.format(owner) + text[place:]


def _call(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}\n{done.stderr[-4000:]}")


def run(program: Path, jobs: Sequence[Job], threads: int = 2, timeout: float = 300) -> list[Answer]:
    """The answers of a program from ``build``, job by job."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = "".join(script(job, folder / str(i)) for i, job in enumerate(jobs))
        done = subprocess.run(
            [str(program)],
            input=text,
            capture_output=True,
            text=True,
            timeout=timeout,
            env={**os.environ, "HL_NUM_THREADS": str(threads)},
            check=False,
        )
        lines = done.stdout.splitlines()
        if len(lines) != len(jobs):
            raise AssertionError(f"{len(lines)} answers of {len(jobs)}: {done.stderr[-2000:]}")
        return [
            _answer(job, folder / str(i), line)
            for i, (job, line) in enumerate(zip(jobs, lines, strict=True))
        ]


def script(job: Job, folder: Path) -> str:
    """What the program reads for a job; its files go to a new folder."""
    folder.mkdir()
    lines = [f"job {job.generator}"]
    lines += [f"param {name} {value}" for name, value in job.params.items()]
    lines += [f"scalar {name} {value}" for name, value in job.scalars.items()]
    for name, array in job.inputs.items():
        path = folder / f"in-{name}"
        np.ascontiguousarray(array.values).tofile(path)
        lines.append(f"input {name} {path} {_pairs(array.minima, array.extents)}")
    for i, (_, minima, extents) in enumerate(job.outputs):
        lines.append(f"output {folder / f'out-{i}'} {_pairs(minima, extents)}")
    if job.lowered:
        lines.append(f"lowered {folder / 'lowered'}")
    if job.loops:
        lines.append(f"loops {folder / 'loops'}")
    if job.plain:
        lines.append("plain")
    if job.seconds:
        lines.append(f"time {job.seconds}")
    return "\n".join([*lines, "run", ""])


def _pairs(minima: tuple[int, ...], extents: tuple[int, ...]) -> str:
    return " ".join(f"{m} {e}" for m, e in zip(minima, extents, strict=True))


def _answer(job: Job, folder: Path, line: str) -> Answer:
    word, _, rest = line.partition(" ")
    texts = [p.read_text() if p.exists() else "" for p in (folder / "lowered", folder / "loops")]
    if word != "ok":
        return Answer([], 0.0, texts[0], texts[1], rest)
    outputs = []
    for i, (types, minima, extents) in enumerate(job.outputs):
        data = (folder / f"out-{i}").read_bytes()
        outputs.append(_components(data, types, minima, extents))
    return Answer(outputs, float(rest), texts[0], texts[1])


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
