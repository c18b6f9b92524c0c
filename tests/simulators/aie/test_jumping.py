"""Kernels with jumps, switches, structures and the cascade: simulator and g++ agree."""

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from s2s.simulators.aie.execute import execute
from s2s.simulators.aie.host import run_on_host
from s2s.simulators.aie.reading.read import read
from s2s.simulators.aie.report import average_trips
from s2s.simulators.aie.timing.estimate import estimate
from s2s.simulators.aie.timing.machine import load
from s2s.source.diagnostics import UserError
from tests.simulators.aie.hand_written import JUMPING, Data
from tests.transforms.aie.contractions import INCLUDE

SIZE = 512


def bits_of(text: str) -> int:
    return 16 if "const int16_t *restrict a" in text else 32


def inputs(text: str) -> dict[str, Data]:
    random = np.random.default_rng(5)
    found = {key: random.integers(-2000, 2000, SIZE).astype(f"int{bits_of(text)}") for key in "aw"}
    return {**found, "b": np.zeros(SIZE, f"int{bits_of(text)}")}


def test_values_are_those_of_gxx(tmp_path: Path) -> None:
    lines = ['#include "aie_intrinsics.h"']
    lines += [f"namespace of_{n} {{ {text} }}" for n, text in enumerate(JUMPING.values())]
    lines.append("int main() {")
    for number, text in enumerate(JUMPING.values()):
        lines.append("{")
        for key, values in inputs(text).items():
            values.tofile(tmp_path / f"{number}.{key}")
            lines.append(f"alignas(64) static int{bits_of(text)}_t {key}[{SIZE}];")
            opened = f'std::fopen("{number}.{key}", "rb")'
            lines.append(f"if (!std::fread({key}, sizeof {key}, 1, {opened})) return 1;")
        lines.append(f"of_{number}::k(a, w, b);")
        lines.append(f'std::FILE *out = std::fopen("{number}.out", "wb");')
        lines.append("std::fwrite(b, sizeof b, 1, out); std::fclose(out); }")
    (tmp_path / "all.cc").write_text("\n".join([*lines, "}"]))
    flags = ["-std=c++17", "-O0", "-w", f"-I{INCLUDE}"]
    subprocess.run(["g++", *flags, "all.cc", "-o", "all"], check=True, cwd=tmp_path)
    subprocess.run(["./all"], check=True, cwd=tmp_path)
    for number, (name, text) in enumerate(JUMPING.items()):
        found = execute(read(text, "k.cc", function="k"), inputs(text))
        host = np.fromfile(tmp_path / f"{number}.out", f"int{bits_of(text)}")
        np.testing.assert_array_equal(found.arrays["b"].ravel(), host, name)


@pytest.mark.parametrize("name", JUMPING)
def test_cycles_are_counted(name: str) -> None:
    program = read(JUMPING[name], "k.cc", function="k")
    trips = average_trips(program, execute(program, inputs(JUMPING[name])).counts)
    assert estimate(program, load(), trips).total > 0


CASCADE = Path(__file__).with_name("jumping.c").read_text()


def test_the_cascade_is_two_arrays(tmp_path: Path) -> None:
    random, path = np.random.default_rng(1), tmp_path / "k.cc"
    path.write_text(CASCADE)
    values = {
        "a": random.integers(-9999, 9999, 64).astype("int16"),
        "w": random.integers(-9999, 9999, 16).astype("int16"),
        "b": np.zeros(16, "int16"),
        "cascade_in": random.integers(-(1 << 46), 1 << 46, 32),
        "cascade_out": np.zeros(16, "int64"),
    }
    program = read(CASCADE, str(path))
    found = execute(program, values).arrays
    host = run_on_host(program, str(path), values)
    for name in ("b", "cascade_out"):
        np.testing.assert_array_equal(found[name].ravel(), host[name])
    x, c = values["a"][:16].astype(int), values["w"].astype(int)
    first = [sum(x[(lane + k) % 16] * c[k] for k in range(4)) for lane in range(8)]
    np.testing.assert_array_equal(found["cascade_out"][:8], values["cascade_in"][:8] + first)


REFUSED = {
    "'aie::vector<int, 8> v' is not simulated": "void k(int *b) { aie::vector<int, 8> v; }",
    "'label' is not understood": "void k(int *b) { int i = 0; again: if (++i < 4) goto again; }",
    "calls itself": "static int f(int n) { return n ? f(n - 1) : 0; } void k(int *b) { f(*b); }",
    "'b' is a structure in the caller's memory": "struct s { int x; }; void k(struct s *b) { }",
    "unions": "union u { int x; }; void k(int *b) { union u v; }",
    "has no member 'y'": "struct s { int x; }; void k(int *b) { struct s v; v.y = 1; }",
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_not_understood_is_refused_with_its_line(reason: str) -> None:
    with pytest.raises(UserError, match=re.escape(reason)) as refused:
        read("\n" + REFUSED[reason], "k.cc", function="k")
    assert refused.value.diagnostics[0].location is not None
    assert refused.value.diagnostics[0].location.line == 2
