"""Kernels as people write them: what each construct of the text computes, here and with g++."""

import re
from collections.abc import Sequence
from math import prod
from pathlib import Path

import numpy as np
import pytest

from s2s.simulators.aie.execute import execute
from s2s.simulators.aie.host import run_on_host
from s2s.simulators.aie.macros import NotPlain
from s2s.simulators.aie.preprocess import preprocess
from s2s.simulators.aie.program import Array, Loop, Program, loops
from s2s.simulators.aie.reading.read import read
from s2s.simulators.aie.values import ScalarType
from tests.programs import read_programs

_PROGRAMS = Path(__file__).parent / "reading"

# Every kernel takes three arrays; b is what it writes.
KERNELS = read_programs(Path(__file__).parent / "reading")
HEAD = '#include "aie_intrinsics.h"\n'
COUNT = 160


def program_of(name: str, folder: Path) -> tuple[Program, str]:
    path = folder / "kernel.cc"
    path.write_text(HEAD + KERNELS[name])
    return read(path.read_text(), str(path)), str(path)


def inputs_of(program: Program, seed: int) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    found = {}
    for array in program.parameters:
        assert isinstance(array, Array) and isinstance(array.element, ScalarType)
        bits = array.element.bits
        count = prod(array.extents) if array.extents else COUNT
        found[array.name] = generator.integers(
            -(1 << bits - 1), (1 << bits - 1) - 1, count, endpoint=True
        )
    return found


@pytest.mark.parametrize("name", KERNELS)
def test_values_are_those_of_gxx(name: str, tmp_path: Path) -> None:
    program, path = program_of(name, tmp_path)
    inputs = inputs_of(program, 7)
    host = run_on_host(program, path, inputs)
    found = execute(program, inputs).arrays
    assert (found["b"].ravel() != inputs["b"].ravel()[: found["b"].size]).any()
    for key, values in host.items():
        np.testing.assert_array_equal(found[key].ravel(), values.ravel()[: found[key].size], key)


@pytest.mark.parametrize("name", KERNELS)
def test_iterations_together_are_iterations_in_sequence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, _ = program_of(name, tmp_path)
    inputs = inputs_of(program, 8)
    together = execute(program, inputs)
    monkeypatch.setattr("s2s.simulators.aie.execute.MOST_TOGETHER", 0)
    sequence = execute(program, inputs)
    assert together.counts == sequence.counts
    for key, values in sequence.arrays.items():
        np.testing.assert_array_equal(together.arrays[key], values, key)


@pytest.mark.parametrize("name", KERNELS)
def test_plain_macros_are_those_of_the_preprocessor(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "#define TWO 2 // and more\n#define FOUR (TWO + TWO)\n" + KERNELS[name]
    text = re.sub(r"\b16\b", "(FOUR * 4 /* 16 */)", text)
    plain = preprocess(text, "k.cc", ("FIVE=5",))
    monkeypatch.setattr("s2s.simulators.aie.preprocess.expanded", not_plain)
    real = preprocess(text, "k.cc", ("FIVE=5",))
    assert words(plain) == words(real)


def not_plain(text: str, defines: Sequence[str]) -> str:
    raise NotPlain


def words(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return [word for line in lines for word in re.findall(r"\w+|[^\w\s]", line)]


def innermost(text: str) -> Loop:
    program = read("void f(const int16_t *a, int16_t *b, int n) {" + text + "}", "k.c")
    return next(loop for loop in loops(program.body) if loop.is_innermost)


@pytest.mark.parametrize(
    ("head", "trips"),
    [
        ("for (int i = 0; i < 256; i += 16)", 16),
        ("for (int i = 0; i < 250; i += 16)", 16),
        ("for (unsigned i = 10; i > 0; i--)", 10),
        ("for (int i = 3; i <= 3; ++i)", 1),
        ("for (int i = 5; i < 3; ++i)", 0),
        ("for (int i = 0; i != 12; i += 3)", 4),
        ("for (int i = 0; i != 10; i += 3)", None),
        ("for (int i = 0; i < n; i++)", None),
        ("for (int i = 20; i >= 1; i -= 4)", 5),
    ],
)
def test_trips(head: str, trips: int | None) -> None:
    assert innermost(head + " b[i] = a[i];").trips == trips


def test_pragmas_of_loops() -> None:
    loop = innermost(
        "for (int i = 0; i < n; i++)\n  chess_prepare_for_pipelining\n  chess_loop_range(4, )\n"
        "  { b[i] = a[i]; }"
    )
    assert (loop.pipelined, loop.bounds) == (True, (4, None))
    loop = innermost("for (int i = 0; i < n; i++) chess_loop_range(2, 8) b[i] = a[i];")
    assert (loop.pipelined, loop.bounds) == (False, (2, 8))


def test_files_beside_the_kernel_are_read(tmp_path: Path) -> None:
    (tmp_path / "sizes.h").write_text("#pragma once\n#include <adf.h>\n#define COUNT 3\n")
    (tmp_path / "k.cc").write_text(
        '#include "sizes.h"\n#include "sizes.h"\n#include <adf.h>\n#ifdef __AIENGINE__\n'
        "void f(int16_t *b) { for (int i = 0; i < COUNT; i++) b[i] = TIMES * i; }\n#endif\n"
    )
    program = read((tmp_path / "k.cc").read_text(), str(tmp_path / "k.cc"), defines=("TIMES=5",))
    assert execute(program, {}).arrays["b"].tolist() == [0, 5, 10]


def test_the_kernel_is_the_function_that_no_other_calls() -> None:
    text = "static void g(int *b) { *b = 1; }\nvoid f(int *b) { g(b); }\n"
    assert read(text + "int main(void) { f(0); return 0; }", "k.c").name == "f"
    assert read(text, "k.c", function="g").name == "g"


def test_comments_give_extents() -> None:
    text = (
        "/* a[40] and then b[2][8]\n * a[50] */\n"
        "void f(int16_t *a, int16_t (*b)[8], int8_t c[3]) {}"
    )
    parameters = read(text, "k.c").parameters
    assert [p.extents for p in parameters if isinstance(p, Array)] == [(40,), (2, 8), (3,)]


def test_cascades_as_parameters_are_the_cores() -> None:
    program = read(Path(__file__).with_name("cascades.c").read_text())
    assert [p.name for p in program.parameters] == ["b", "cascade_in", "cascade_out"]
    left = execute(program, {"cascade_in": np.arange(8), "b": np.zeros(8, np.int16)}).arrays
    np.testing.assert_array_equal(left["b"][:8], np.arange(8))
    np.testing.assert_array_equal(left["cascade_out"], np.arange(8))


def test_code_in_comments_says_no_extents() -> None:
    program = read("""
// int tmp = a[3]; b[2] = 1; printf("%d", b[1]);
/* a[12] goes in */
void f(const int16_t *a, int16_t *b) { b[0] = a[1]; }""")
    extents = {p.name: p.extents for p in program.parameters if isinstance(p, Array)}
    assert extents == {"a": (12,), "b": ()}
