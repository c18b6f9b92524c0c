"""Random kernels: iterations together as in sequence, and all of it as g++ has it."""

from pathlib import Path

import numpy as np
import pytest

from s2s.simulators.aie.execute import execute
from s2s.simulators.aie.host import run_on_host
from s2s.simulators.aie.reading.read import read
from tests.aie.random_programs import MEMORY, kernel

TOGETHER = 40
BY_GXX = 25


def inputs(count: int, seed: int) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    numbers = generator.integers(-32768, 32767, count, endpoint=True)
    return {"m": numbers, "w": generator.integers(-32768, 32767, 16, endpoint=True)}


def test_iterations_together(monkeypatch: pytest.MonkeyPatch) -> None:
    together = 0
    for seed in range(TOGETHER):
        program = read(kernel("f", seed), "k.c")
        data = inputs(MEMORY, seed)
        monkeypatch.undo()
        found = execute(program, data)
        monkeypatch.setattr("s2s.simulators.aie.execute.MOST_TOGETHER", 0)
        wanted = execute(program, data)
        text = f"seed {seed}\n{kernel('f', seed)}"
        assert found.counts == wanted.counts, text
        np.testing.assert_array_equal(found.arrays["m"], wanted.arrays["m"], text)
        together += found.counts.multiplications > 0
    assert together > TOGETHER // 2


def test_gxx(tmp_path: Path) -> None:
    functions = [kernel(f"f{n}", 1000 + n) for n in range(BY_GXX)]
    calls = "".join(f"  f{n}(m + {MEMORY * n}, w);\n" for n in range(BY_GXX))
    path = tmp_path / "k.cc"
    whole = f"void f(int16_t *m, const int16_t *w) {{\n{calls}}}\n"
    path.write_text('#include "aie_intrinsics.h"\n' + "\n".join([*functions, whole]))
    program = read(path.read_text(), str(path))
    data = inputs(MEMORY * BY_GXX, 3)
    found = execute(program, data).arrays["m"].reshape(BY_GXX, MEMORY)
    wanted = run_on_host(program, str(path), data)["m"].reshape(BY_GXX, MEMORY)
    for number in range(BY_GXX):
        np.testing.assert_array_equal(found[number], wanted[number], functions[number])


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("m[i] = 1; m[i + 1] = 2;", [1, 1, 1, 1, 2]),
        ("m[i + 1] = m[i] + 1;", [0, 1, 2, 3, 4]),
        ("m[4] = i; m[i] = m[i + 1];", [0, 0, 0, 3, 3]),
        ("for (int j = 0; j < 2; j++) m[i + j] = m[i] + j + 1;", [1, 4, 7, 10, 12]),
    ],
)
def test_iterations_that_meet_in_memory(body: str, wanted: list[int]) -> None:
    program = read(f"void f(int16_t *m) {{ for (int i = 0; i < 4; i++) {{ {body} }} }}", "k.c")
    assert execute(program, {"m": np.zeros(5, np.int16)}).arrays["m"].tolist() == wanted
