"""Kernels as other people write them: the simulator, g++ and numpy agree."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

from s2s.simulators.aie.execute import execute
from s2s.simulators.aie.program import Program
from s2s.simulators.aie.reading.read import read
from s2s.simulators.aie.report import average_trips
from s2s.simulators.aie.timing.estimate import estimate
from s2s.simulators.aie.timing.machine import load
from tests.simulators.aie.hand_written import KERNELS, Data, inputs, wrapped
from tests.transforms.aie.contractions import INCLUDE


def program(name: str) -> Program:
    return read(KERNELS[name][0], f"{name}.cc")


def simulated(name: str, values: dict[str, Data]) -> Data:
    found: Data = execute(program(name), values).arrays["b"].ravel()
    return found.astype(np.int64)


@pytest.mark.parametrize("name", KERNELS)
def test_values_are_those_of_numpy(name: str) -> None:
    _, reference, bits, _ = KERNELS[name]
    for seed in (1, 2):
        values = inputs(name, seed)
        wanted = wrapped(reference(values["a"], values["w"]), bits[2])
        np.testing.assert_array_equal(simulated(name, values)[: wanted.size], wanted)


def test_values_are_those_of_gxx(tmp_path: Path) -> None:
    lines = ['#include "aie_intrinsics.h"']
    lines += [f"namespace of_{name} {{ {KERNELS[name][0]} }}" for name in KERNELS]
    lines.append("int main() {")
    for name, (_, _, bits, way) in KERNELS.items():
        lines.append("{")
        words = []
        for key, size, width in zip("awb", (1024, 512, 1024), bits, strict=True):
            lines.append(f"alignas(64) static int{width}_t {key}[{size}];")
            if key != "b":
                inputs(name, 1)[key].astype(f"int{width}").tofile(tmp_path / f"{name}.{key}")
                opened = f'std::fopen("{name}.{key}", "rb")'
                lines.append(f"std::fread({key}, sizeof {key}, 1, {opened});")
            if way:
                side = "output" if key == "b" else "input"
                lines.append(f"{side}_{way}_int{width} {way}_{key} = {{{key}}};")
            words.append(f"&{way}_{key}" if way else key)
        lines.append(f"of_{name}::{name}({', '.join(words)});")
        lines.append(f'std::FILE *out = std::fopen("{name}.b", "wb");')
        lines.append("std::fwrite(b, sizeof b, 1, out); std::fclose(out); }")
    (tmp_path / "all.cc").write_text("\n".join([*lines, "}"]))
    flags = ["-std=c++17", "-O0", "-w", f"-I{INCLUDE}"]
    subprocess.run(["g++", *flags, "all.cc", "-o", "all"], check=True, cwd=tmp_path)
    subprocess.run(["./all"], check=True, cwd=tmp_path)
    for name, (_, _, bits, _) in KERNELS.items():
        found = simulated(name, inputs(name, 1))
        host = np.fromfile(tmp_path / f"{name}.b", f"int{bits[2]}")
        np.testing.assert_array_equal(found, host[: found.size], name)


@pytest.mark.parametrize("name", KERNELS)
def test_cycles_are_counted(name: str) -> None:
    found = program(name)
    trips = average_trips(found, execute(found, inputs(name, 1)).counts)
    assert estimate(found, load(), trips).total > 0
