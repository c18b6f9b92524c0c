"""Graph kernels for Emu: migrations before and after, against the published ones.

Each variant runs on the simulator with the same graphs, R-MAT with Graph500's parameters; what it
prints has to be what the plain C prints. Reductions count whole programs, the building of the graph
included, as the dissertation does; times are estimates of the part that the program calls "kernel".
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import s2s
from s2s.bench import report
from s2s.bench.graph_kernels import kernels, openmp, tables
from s2s.bench.graph_kernels.kernels import Kernel, Variant
from s2s.bench.graph_kernels.rows import Row
from s2s.bench.records import Record
from s2s.bench.suite import Request, Suite, choose
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.simulators.emu.graphs.named import graph
from s2s.simulators.emu.machine import Machine, load
from s2s.simulators.emu.program import Program, Run, build
from s2s.source.output import write_file
from s2s.source.records import dataclass
from s2s.targets.emu.options import EmuOptions
from s2s.tuning import measure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLAIN_FLAGS = ("-O2", "-fopenmp", "-w")


@dataclass(frozen=True)
class Case:
    """A kernel with its variants at all scales, or ``as_openmp`` before and after the pass."""

    kernel: Kernel
    as_openmp: bool = False

    @property
    def name(self) -> str:
        return f"{self.kernel.name}{', OpenMP' if self.as_openmp else ''}"


Found = tuple[str, Row] | openmp.Comparison
"""What one run of a kernel of that name gave, or the kernel as an OpenMP program."""


TABLE_READING = {"first_thread_goes_home": 0}
"""What the published counts of graph kernels are nearest to; docs/emu.md says what the other is."""


class GraphKernels(Suite[Case, Found]):
    """The kernels that were asked for; for OpenMP also those that have no variants for Emu."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.compiler = request.compiler or "gcc"
        every, plain = kernels.read(), kernels.plain() if request.openmp_scale else []
        chosen = choose("kernel", [one.name for one in (*every, *plain)], request.only)
        self.kernels = [one for one in every if one.name in chosen]
        plain = [one for one in plain if one.name in chosen]
        self.cases = [*map(Case, self.kernels), *(Case(kernel, True) for kernel in plain)]
        self.clock_hz = _machine()["clock_hz"]
        self.setting = report.machine_setting(
            compiler=report.compiler_version(self.compiler),
            flags=shlex.join(PLAIN_FLAGS),
            runs=f"scales {', '.join(map(str, request.scales))}, seed {request.seed}",
            s2s=s2s.__version__,
        )

    def measure(self, case: Case, folder: Path) -> Iterator[Found]:
        request = self.request
        if case.as_openmp:
            yield from openmp.compare(
                [case.kernel], request.openmp_scale, request.seed, self.compiler, request.repeat
            )
        else:
            for row in _rows(case.kernel, request, self.compiler, folder):
                yield case.kernel.name, row

    def _results(self, rows: Sequence[Found]) -> dict[str, list[Row]]:
        runs = [row for row in rows if isinstance(row, tuple)]
        return {one.name: [row for name, row in runs if name == one.name] for one in self.kernels}

    def text(self, rows: Sequence[Found]) -> str:
        reading = ", ".join(f"{name} = {value}" for name, value in TABLE_READING.items())
        text = f"emu-chick with {reading}, the reading of Table 7.2\n\n"
        text += tables.render(self.kernels, self._results(rows), self.clock_hz)
        compared = _compared(rows)
        return f"{text}\n\n{openmp.render(compared)}" if compared else text

    def records(self, rows: Sequence[Found]) -> Iterator[Record]:
        yield from tables.records(self.kernels, self._results(rows), self.clock_hz)
        yield from openmp.records(_compared(rows))

    def figure(self, rows: Sequence[Found]) -> Figure:
        from s2s.bench.graph_kernels.plots import draw

        return draw(self.kernels, self._results(rows))

    def is_good(self, rows: Sequence[Found]) -> bool:
        return all((row[1] if isinstance(row, tuple) else row).same for row in rows)


suite = GraphKernels


def _machine() -> Machine:
    """The Chick as Table 7.2 counts on it: a first thread that stays where it has read."""
    return load().with_values(TABLE_READING)


def _compared(rows: Sequence[Found]) -> list[openmp.Comparison]:
    return [row for row in rows if isinstance(row, openmp.Comparison)]


def _rows(kernel: Kernel, request: Request, compiler: str, kept: Path) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="s2s-emu-") as name, ExitStack() as stack:
        folder = Path(name)
        plain = folder / "plain"
        measure.build(compiler, PLAIN_FLAGS, [kernel.plain], plain, ["-lm"])
        programs = {
            one.name: stack.enter_context(closing(_program(one, kept, compiler)))
            for one in kernel.variants
        }
        for scale in request.scales:
            path = folder / f"{scale}.wel"
            path.write_text(graph(f"rmat:scale={scale},seed={request.seed}").text())
            yield from _at_scale(kernel, programs, scale, plain, path)


def _program(variant: Variant, folder: Path, compiler: str) -> Program:
    """A variant for the simulator, through ``s2s transform --target emu`` if it is plain C."""
    if variant.steps is None:
        return build(variant.source, _machine(), compiler, variant.flags)
    options = Options(target="emu", of_target=EmuOptions(variant.steps))
    done = transform_file(str(variant.source), variant.flags, options)
    path = folder / f"{variant.name.replace(' ', '_')}_{variant.source.name}"
    write_file(str(path), done.text)
    return build(path, _machine(), compiler)


def _at_scale(
    kernel: Kernel, programs: Mapping[str, Program], scale: int, plain: Path, path: Path
) -> Iterator[Row]:
    wanted = subprocess.run([plain, path], capture_output=True, text=True)
    for variant in kernel.variants:
        done = programs[variant.name].run([str(path)])
        same = (done.status, done.stdout) == (wanted.returncode, wanted.stdout)
        migrations, cycles = _of_kernel(done)
        yield Row(scale, variant.name, done.migrations, cycles, same, migrations)


def _of_kernel(run: Run) -> tuple[int, int]:
    """The migrations and the cycles of what a program calls its kernel, or of all of it."""
    region = run.region("kernel") or run
    return region.migrations, region.cycles
