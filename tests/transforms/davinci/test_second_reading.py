"""The text as g++ compiles it with our header leaves the same bits as the simulator."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np

from s2s.emitters.davinci.kernel import print_program
from s2s.scop.cce import Program
from s2s.scop.pooling import Axis, Kind, Mask, Pooling
from s2s.simulators.davinci.machine import INCLUDE
from s2s.transforms.davinci.backward import MERGES, make_backward
from s2s.transforms.davinci.forward import make_forward
from s2s.transforms.davinci.ways import WAYS
from tests.transforms.davinci.references import run
from tests.transforms.davinci.test_programs import arrays_of


def cases() -> list[tuple[Pooling, Program]]:
    y, x = Axis(19, 3, 2, 1, 10), Axis(23, 4, 3, 2, 8)
    found = []
    for kind, mask in ((Kind.MAX, Mask.FIRST), (Kind.AVERAGE, Mask.NONE)):
        pooling = Pooling("pool", kind, False, (2,), 20, y, x, mask, 0)
        found += [(pooling, make_forward(pooling, variant)) for variant in WAYS]
        found.append((pooling, make_forward(pooling, "im2col", single=True)))
        back = Pooling("pool", kind, True, (2,), 20, y, x, Mask.NONE, 0)
        found += [(back, make_backward(back, variant)) for variant in MERGES]
    return found


def test_bits_are_those_of_the_host(tmp_path: Path) -> None:
    parts, calls, wanted = ['#include "cce_host.h"\n#include <vector>\n'], [], []
    for number, (pooling, program) in enumerate(cases()):
        name = f"pool{number}"
        parts.append(f"#define pool {name}\n{print_program(program)}#undef pool\n")
        arrays = arrays_of(pooling, number)
        calls += calls_of(tmp_path, name, program, arrays)
        done = run(program, arrays, deep=False)
        output = next(a for a in program.arguments if a.is_output)
        wanted.append((f"{name}.{output.name}.out", done, output.name))
    text = "".join([*parts, "int main() {\n", *calls, "}\n"])
    (tmp_path / "main.cc").write_text(text)
    command = ["g++", "-std=c++17", "-O1", "-w", "-D__CCE_KT_TEST__", f"-I{INCLUDE}"]
    subprocess.run([*command, "main.cc", "-o", "main"], cwd=tmp_path, check=True)
    subprocess.run(["./main"], cwd=tmp_path, check=True)
    for file, done, name in wanted:
        found = np.fromfile(tmp_path / file, np.uint16)
        array = next(a for a in done.arrays if a.name == name)
        assert np.array_equal(found, array.bytes.view(np.uint16)), file


def calls_of(folder: Path, name: str, program: Program, arrays: dict[str, np.ndarray]) -> list[str]:
    """C++ that calls a kernel with arrays from files and writes its outputs."""
    lines = ["{"]
    for argument in program.arguments:
        size = int(np.prod(argument.extents))
        lines.append(f"std::vector<half> {argument.name}({size});")
        lines.append(f"std::memset((void *){argument.name}.data(), 0, {2 * size});")
        if not argument.is_output:
            file = f"{name}.{argument.name}.in"
            arrays[argument.name].astype(np.float16).tofile(folder / file)
            lines.append(
                f'{{ FILE *f = fopen("{file}", "rb"); if (fread({argument.name}.data(), 2, '
                f"{size}, f) != {size}) return 1; fclose(f); }}"
            )
    given = ", ".join(f"{a.name}.data()" for a in program.arguments)
    lines.append(f"for (block_idx = 0; block_idx < {program.blocks}; block_idx++) {name}({given});")
    for argument in program.arguments:
        if argument.is_output:
            lines.append(
                f'{{ FILE *f = fopen("{name}.{argument.name}.out", "wb"); '
                f"fwrite({argument.name}.data(), 2, {argument.name}.size(), f); fclose(f); }}"
            )
    return [f"{line}\n" for line in [*lines, "}"]]
