"""Kernels of programs with borders, zero points, gaps: packed, run and unpacked by g++.

The arrays are as large as what the program reaches, so that AddressSanitizer sees each access
beyond. Kernels get what packing functions make of them, which the simulator then runs, too.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from s2s.emitters.aie.elements import c_type
from s2s.emitters.aie.kernel import emit
from s2s.emitters.aie.packing import packing
from s2s.scop.contraction import Array, Contraction
from s2s.scop.vector_kernel import Kernel, PackedArray
from s2s.simulators.aie.execute import execute
from s2s.simulators.aie.reading.read import read
from s2s.transforms.aie.choose import best
from tests.analyses.contractions import programs
from tests.transforms.aie.contractions import INCLUDE, dtype

CONSTANTS = programs.read("constants")
CASES = [
    *programs.read("borders").values(),
    *(CONSTANTS[name] for name in ("a cross of flat elements", "a table of its own")),
    programs.read("calls")["one factor for all"],
]

HEAD = Path(__file__).with_name("borders.c").read_text()


def main(number: int, of: Contraction, kernel: Kernel) -> Iterator[str]:
    """A function that runs a program and its kernel on the same arrays and compares."""
    arrays = {a.array.name: a.array for a in of.accesses}
    out = of.output.array
    passed = [name for name in of.arguments if arrays[name].data is None]
    yield f"static void case_{number}() {{"
    for name in passed:
        type_, count = c_type(arrays[name].memory.type), reached(arrays[name])
        yield f"  {type_} *{name} = ({type_} *)malloc({count} * sizeof({type_}));"
        yield f"  for (int i = 0; i < {count}; i++) {name}[i] = number() - 100;"
    type_, count = c_type(out.memory.type), reached(out)
    yield f"  {type_} *want = ({type_} *)malloc({count} * sizeof *want);"
    yield f"  memcpy(want, {out.name}, {count} * sizeof *want);"
    yield f"  program_{number}({', '.join('want' if n == out.name else n for n in passed)});"
    for array in kernel.arrays:
        yield from packed(number, array, kernel)
    yield f"  {kernel.name}({', '.join(f'k_{array.name}' for array in kernel.arrays)});"
    yield f'  dump("{number}.out", k_{out.name}, sizeof *want * {kernel.output.size});'
    if kernel.output.is_natural:
        yield f"  memcpy({out.name}, k_{out.name}, {count} * sizeof *want);"
    else:
        yield f"  unpack_{kernel.name}_{out.name}(k_{out.name}, {out.name});"
    yield f'  if (memcmp(want, {out.name}, {count} * sizeof *want)) printf("{number} ");'
    yield "}"


def reached(array: Array) -> int:
    return array.memory.size if array.reached is None else array.reached


def packed(number: int, array: PackedArray, kernel: Kernel) -> Iterator[str]:
    type_, name = c_type(array.type), array.name
    size = f"({array.size} * sizeof({type_}) + 31) / 32 * 32"
    yield f"  {type_} *k_{name} = ({type_} *)aligned_alloc(32, {size});"
    yield f"  memset(k_{name}, 0, {size});"
    if array.is_natural:
        count = min(array.size, reached(array.source))
        yield f"  memcpy(k_{name}, {name}, {count} * sizeof({type_}));"
    elif array.source.data is not None:
        yield f"  pack_{kernel.name}_{name}(k_{name});"
    elif array.is_input:
        yield f"  pack_{kernel.name}_{name}({name}, k_{name});"
    yield f'  dump("{number}.{name}", k_{name}, {array.size} * sizeof({type_}));'


def test_programs_kernels_and_the_simulator_agree_without_stray_accesses(tmp_path: Path) -> None:
    head, kernels = [HEAD], []
    body: list[str] = []
    plain = [programs.HEADER]
    for number, text in enumerate(CASES):
        of = programs.from_c(text.replace("void f(", f"void f_{number}("), name=f"f_{number}")
        kernel = best(of).compiled.kernel
        kernels.append(kernel)
        own = {a.array.name for a in of.accesses if a.array.data is not None}
        types = ", ".join("void *" for name in of.arguments if name not in own)
        head += [emit(kernel), packing(kernel), f'extern "C" void program_{number}({types});']
        body += main(number, of, kernel)
        plain += [
            f"#define helper helper_{number}",
            text.replace("void f(", f"void program_{number}("),
        ]
        plain.append("#undef helper")
    calls = " ".join(f"case_{number}();" for number in range(len(CASES)))
    whole = "\n".join([*head, *body, f"int main() {{ {calls} }}"])
    (tmp_path / "main.cc").write_text(whole)
    (tmp_path / "plain.c").write_text("\n".join(plain))
    checks = ["-w", "-fsanitize=address", "-g1"]
    commands = [
        ["gcc", "-O1", "-fwrapv", *checks, "-c", "plain.c"],
        ["g++", "-std=c++17", *checks, f"-I{INCLUDE}", "main.cc", "plain.o", "-o", "main"],
    ]
    for command in commands:
        subprocess.run(command, check=True, cwd=tmp_path)
    done = subprocess.run(
        ["./main"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"ASAN_OPTIONS": "detect_leaks=0"},
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr[:2000]
    for number, kernel in enumerate(kernels):
        given = {
            a.name: np.fromfile(tmp_path / f"{number}.{a.name}", dtype(a)) for a in kernel.arrays
        }
        got = execute(read(emit(kernel), "kernel.cc"), given).arrays[kernel.output.name]
        want = np.fromfile(tmp_path / f"{number}.out", dtype(kernel.output))
        np.testing.assert_array_equal(got.ravel(), want)
