"""The kernels' plain C before and after the pass ``graph``, as OpenMP programs on two threads.

Both versions read the same R-MAT graph and have to print the same. ``benchmarks/emu/timed.h``
before them makes them tell the time between reading the graph and freeing memory; runs take
turns, and the shortest of each counts. Threads that wait sleep, so that other programs matter less.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from s2s.bench.graph_kernels.kernels import NAME, Kernel
from s2s.bench.records import Record
from s2s.bench.tables import table
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.simulators.emu.graphs.named import graph
from s2s.source.records import dataclass
from s2s.tuning import measure
from s2s.tuning.measure import MeasurementError

THREADS = 2
_FLAGS = ("-O2", "-fopenmp", "-w")
_LONGEST = 600


@dataclass(frozen=True)
class Comparison:
    """Seconds of a kernel before and after, and what the pass has done.

    Without anything done it is one program, whose two times are the same.
    """

    kernel: str
    scale: int
    before: float
    after: float
    done: tuple[str, ...]
    same: bool

    @property
    def speedup(self) -> float:
        return self.before / self.after if self.after else 1.0


def compare(
    kernels: Sequence[Kernel], scale: int, seed: int, compiler: str, repeat: int
) -> Iterator[Comparison]:
    """One comparison for each kernel. Raises MeasurementError where one does not compile or run."""
    with tempfile.TemporaryDirectory(prefix="s2s-graph-") as name:
        folder = Path(name)
        path = folder / "graph.wel"
        path.write_text(graph(f"rmat:scale={scale},seed={seed}").text())
        for kernel in kernels:
            yield _compare(kernel, scale, path, compiler, repeat)


def _compare(kernel: Kernel, scale: int, path: Path, compiler: str, repeat: int) -> Comparison:
    outcome = transform_file(str(kernel.plain), ("-fopenmp",), Options(passes=("graph",)))
    done = tuple(d.text for d in outcome.diagnostics if d.severity.value == "remark")
    folder = path.parent / kernel.name
    folder.mkdir()
    for header in kernel.plain.parent.glob("*.h"):
        shutil.copy(header, folder)
    source = folder / kernel.plain.name
    source.write_bytes(outcome.text)
    programs = [_build(kernel.plain, compiler, folder / "before")]
    if outcome.changed:
        programs.append(_build(source, compiler, folder / "after"))
    rounds = [[_run(program, path) for program in programs] for _ in range(max(repeat, 1))]
    before, after = (min(one[k][0] for one in rounds) for k in (0, len(programs) - 1))
    same = len({text for one in rounds for _, text in one}) == 1
    return Comparison(kernel.name, scale, before, after, done, same)


def _build(source: Path, compiler: str, program: Path) -> Path:
    flags = (*_FLAGS, "-include", str(source.parent / "timed.h"))
    measure.build(compiler, flags, [source], program, ["-lm"])
    return program


def _run(program: Path, path: Path) -> tuple[float, str]:
    """The kernel's seconds, and what is printed."""
    done = subprocess.run(
        [program, path], capture_output=True, text=True, timeout=_LONGEST,
        env={**os.environ, "OMP_NUM_THREADS": str(THREADS), "OMP_WAIT_POLICY": "passive"},
    )  # fmt: skip
    try:
        return float(done.stderr.split()[-1]), done.stdout
    except (IndexError, ValueError):
        raise MeasurementError(f"{program.parent.name} has not told its time") from None


def render(found: Sequence[Comparison]) -> str:
    """A line for each kernel."""
    rows = [
        [
            one.kernel,
            f"{1000 * one.before:.2f} ms",
            f"{1000 * one.after:.2f} ms",
            f"{one.speedup:.2f}x{'' if one.same else ' (WRONG)'}",
            "; ".join(one.done) or "left as it is",
        ]
        for one in found
    ]
    title = f"OpenMP, {THREADS} threads, scale {found[0].scale}:"
    return f"{title}\n{table(['', 'before', 'after', '', ''], rows, left=(0, 4), ruled=False)}"


def records(found: Sequence[Comparison]) -> Iterator[Record]:
    """The speedups."""
    for one in found:
        yield Record(
            suite=NAME, case=f"{one.kernel}/{one.scale}", variant="openmp",
            metric=f"speedup on {THREADS} threads", value=one.speedup, unit="x",
            note="; ".join(one.done) if one.same else "outputs differ",
        )  # fmt: skip
