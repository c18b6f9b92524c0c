"""``s2s bench emu``: migrations of graph kernels before and after, against the published ones.

Each variant runs on the simulator with the same graphs, R-MAT with Graph500's parameters; what it
prints has to be what the plain C prints. Reductions count whole programs, the building of the graph
included, as the dissertation does; times are estimates of the part that the program calls "kernel".
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from s2s.bench import report
from s2s.bench.descriptions import bench_error
from s2s.bench.emu import openmp, suite, tables
from s2s.bench.emu.rows import Row
from s2s.bench.emu.suite import Kernel, Variant
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.simulators.emu.graphs.named import graph
from s2s.simulators.emu.machine import load
from s2s.simulators.emu.program import Program, Run, build
from s2s.source.output import write_file
from s2s.targets.emu.options import EmuOptions

PLAIN_FLAGS = ("-O2", "-fopenmp", "-w")


@dataclass(frozen=True)
class Plan:
    """What to run; ``files`` are those of --json, --csv and --plot."""

    scales: tuple[int, ...] = (6, 7, 8, 9, 10)
    seed: int = 1
    compiler: str = "gcc"
    only: tuple[str, ...] = ()
    files: tuple[str | None, str | None, str | None] = (None, None, None)
    openmp_scale: int = 0
    """The scale of the graph for OpenMP programs, 0 for none."""
    repeat: int = 5
    out: Path | None = None
    """A folder for the variants' sources, None to keep none."""


def run(plan: Plan) -> int:
    """Run and print; 0 if all variants compute what the plain C computes, else 1."""
    kernels = [one for one in suite.read() if not plan.only or one.name in plan.only]
    if not kernels:
        raise bench_error(f"no kernel of emu is named {', '.join(plan.only)}")
    results: dict[str, list[Row]] = {}
    for kernel in kernels:
        results[kernel.name] = list(_rows(kernel, plan))
    machine = load()
    print(tables.render(kernels, results, machine["clock_hz"]))
    records = list(tables.records(kernels, results, machine["clock_hz"]))
    compared = _openmp(plan)
    if compared:
        print(f"\n{openmp.render(compared)}")
        records += openmp.records(compared)
    setting = report.describe_setting(
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        cases=(),
        compiler=plan.compiler,
        flags=PLAIN_FLAGS,
        comparison=(),
        size=f"scales {', '.join(map(str, plan.scales))}, seed {plan.seed}",
        repeat=1,
        options=(),
    )
    json, csv, plot = plan.files
    if json:
        write_file(json, report.to_json(records, setting))
    if csv:
        write_file(csv, report.to_csv(records, setting))
    if plot:
        from s2s.bench.emu.plots import draw

        write_file(plot, draw(kernels, results, Path(plot).suffix))
    same = all(row.same for rows in results.values() for row in rows)
    return 0 if same and all(one.same for one in compared) else 1


def _openmp(plan: Plan) -> list[openmp.Comparison]:
    """The kernels as OpenMP programs, those among them that have no variants for Emu, too."""
    if not plan.openmp_scale:
        return []
    kernels = [one for one in suite.plain() if not plan.only or one.name in plan.only]
    return list(openmp.compare(kernels, plan.openmp_scale, plan.seed, plan.compiler, plan.repeat))


def _rows(kernel: Kernel, plan: Plan) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="s2s-emu-") as name:
        folder = Path(name)
        plain = _build_plain(kernel, plan.compiler, folder)
        kept = folder if plan.out is None else plan.out
        kept.mkdir(parents=True, exist_ok=True)
        programs = {one.name: _program(one, kept, plan.compiler) for one in kernel.variants}
        try:
            for scale in plan.scales:
                if sys.stderr.isatty():
                    print(f"{kernel.name}, scale {scale}", file=sys.stderr)
                path = folder / f"{scale}.wel"
                path.write_text(graph(f"rmat:scale={scale},seed={plan.seed}").text())
                yield from _at_scale(kernel, programs, scale, plain, path)
        finally:
            for program in programs.values():
                program.close()


def _program(variant: Variant, folder: Path, compiler: str) -> Program:
    """A variant for the simulator, through ``s2s transform --target emu`` if it is plain C."""
    if variant.steps is None:
        return build(variant.source, load(), compiler, variant.flags)
    options = Options(target="emu", of_target=EmuOptions(variant.steps))
    done = transform_file(str(variant.source), variant.flags, options)
    path = folder / f"{variant.name.replace(' ', '_')}_{variant.source.name}"
    write_file(str(path), done.text)
    return build(path, load(), compiler)


def _at_scale(
    kernel: Kernel, programs: Mapping[str, Program], scale: int, plain: Path, path: Path
) -> Iterator[Row]:
    wanted = subprocess.run([plain, path], capture_output=True, text=True)
    for variant in kernel.variants:
        done = programs[variant.name].run([str(path)])
        same = (done.status, done.stdout) == (wanted.returncode, wanted.stdout)
        yield Row(scale, variant.name, done.migrations, _kernel_cycles(done), same)


def _kernel_cycles(run: Run) -> int:
    region = run.region("kernel")
    return region.cycles if region else run.cycles


def _build_plain(kernel: Kernel, compiler: str, folder: Path) -> Path:
    program = folder / "plain"
    command = [compiler, *PLAIN_FLAGS, str(kernel.plain), "-o", str(program), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise bench_error(f"{kernel.plain} does not compile: {done.stderr.strip()[:200]}")
    return program
