"""Kernels as g++ compiles them with our header: many in one program, run once."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from s2s.emitters.davinci.kernel import print_program
from s2s.scop.cce import Program
from s2s.simulators.davinci.machine import INCLUDE
from tests.transforms.davinci.references import Values

_ARRAYS = Path(__file__).with_name("host.cpp").read_text()


@dataclass(frozen=True)
class Job:
    """A kernel, its inputs, and outputs to compare with."""

    program: Program
    arrays: dict[str, Values]
    outputs: dict[str, Values]


def count_equal(folder: Path, jobs: Sequence[Job]) -> int:
    """Compile all in one file, run them and compare every bit (any NaN equals any other).

    Returns how many kernels were compared; fails at the first that differs.
    """
    parts, calls = [_ARRAYS], []
    for number, job in enumerate(jobs):
        name = f"pool{number}"
        parts.append(f"#define pool {name}\n{print_program(job.program)}#undef pool\n")
        calls += _calls(folder, name, job)
    (folder / "main.cc").write_text("".join([*parts, "int main() {\n", *calls, "}\n"]))
    command = ["g++", "-std=c++17", "-O0", "-w", "-D__CCE_KT_TEST__", f"-I{INCLUDE}"]
    subprocess.run([*command, "main.cc", "-o", "main"], cwd=folder, check=True)
    subprocess.run(["./main"], cwd=folder, check=True)
    for number, job in enumerate(jobs):
        for name, wanted in job.outputs.items():
            found = np.fromfile(folder / f"pool{number}.{name}.out", np.float16)
            same = found.view(np.uint16) == wanted.view(np.uint16)
            same |= np.isnan(found) & np.isnan(wanted)
            assert same.all(), (number, name, job.program.about)
    return len(jobs)


def _calls(folder: Path, name: str, job: Job) -> list[str]:
    """C++ that calls a kernel with arrays from files and writes its outputs."""
    lines = ["{"]
    program = job.program
    for argument in program.arguments:
        size = int(np.prod(argument.extents))
        made = f"zeros({size})"
        if not argument.is_output and argument.name in job.arrays:
            file = f"{name}.{argument.name}.in"
            job.arrays[argument.name].astype(np.float16).tofile(folder / file)
            made = f'load("{file}", {size})'
        lines.append(f"auto {argument.name} = {made};")
    given = ", ".join(f"{a.name}.data()" for a in program.arguments)
    lines.append(f"for (block_idx = 0; block_idx < {program.blocks}; block_idx++) {name}({given});")
    lines += [f'store("{name}.{output}.out", {output});' for output in job.outputs]
    return [f"{line}\n" for line in [*lines, "}"]]
