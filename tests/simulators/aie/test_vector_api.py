"""The vector API ``aie::`` and what kernels of graphs have: simulator and g++ agree."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

from s2s.simulators.aie.execute import execute
from s2s.simulators.aie.host import run_on_host
from s2s.simulators.aie.reading.read import read
from s2s.simulators.aie.timing.estimate import estimate
from s2s.simulators.aie.timing.machine import load
from s2s.simulators.aie.vector_api import lowered
from s2s.source.diagnostics import UserError

_PROGRAMS = Path(__file__).parent / "vector_api"

HEAD = "#include <adf.h>\n#include <aie_api/aie.hpp>\n#include <aie_api/aie_adf.hpp>\n"
# Kernels ``k`` of a and w to b, by what they use; elements are of 16 or 32 bits.
KERNELS = {
    "loads, stores and lanes": (32, (_PROGRAMS / "loads_stores_and_lanes.c").read_text()),
    "products of lanes": (16, (_PROGRAMS / "products_of_lanes.c").read_text()),
    "sliding products in a namespace": (
        16, (_PROGRAMS / "sliding_products_in_a_namespace.c").read_text()
    ),
    "tiles of products": (16, (_PROGRAMS / "tiles_of_products.c").read_text()),
    "sliding products of 32 bits": (32, (_PROGRAMS / "sliding_products_of_32_bits.c").read_text()),
}  # fmt: skip


def inputs(bits: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(bits)
    found = {name: random.integers(-999, 999, 128).astype(f"int{bits}") for name in "aw"}
    return {**found, "b": np.zeros(256, f"int{bits}")}


@pytest.mark.parametrize("name", KERNELS)
def test_values_are_those_of_gxx(name: str, tmp_path: Path) -> None:
    bits, text = KERNELS[name]
    path = tmp_path / "k.cc"
    path.write_text(HEAD + text)
    program = read(HEAD + text, str(path), function="k")
    found = execute(program, inputs(bits)).arrays["b"].ravel()
    if "namespace" in text:
        path.write_text(HEAD + text + "\nusing filters::inner::k;\n")
    host = run_on_host(program, str(path), inputs(bits))["b"].ravel()
    np.testing.assert_array_equal(found, host[: found.size])
    assert np.count_nonzero(found) > 16
    assert estimate(program, load()).total > 20


def test_products_of_lanes_pipeline_as_intrinsics_do() -> None:
    program = read(HEAD + KERNELS["products of lanes"][1], function="k")
    (loop,) = estimate(program, load()).loops
    assert loop.pipelined and loop.interval <= 3


def test_what_is_not_understood_is_said_in_one_line() -> None:
    for body, said in (
        ("auto c = aie::begin_circular<8>(a);", "'aie::begin_circular<8>(a)' is not simulated"),
        ("aie::vector<int32, 8> x = aie::load_v<8>(a); auto y = aie::mul(x, a);", "'aie::mul' of"),
        ("aie::vector<int16, 8> x = aie::load_v<8>(b);", "is not int16"),
    ):
        text = HEAD + f"void k(int32 *a, int32 *b) {{ {body} }}"
        with pytest.raises(UserError) as caught:
            read(text)
        assert len(caught.value.diagnostics) == 1, said


def test_what_is_not_simulated_is_named_at_its_line() -> None:
    other = "void other(input_window_cfloat *a, output_window_cfloat *b);\n"
    for line, said in (
        ("v4cfloat x;", "complex floats are not simulated ('v4cfloat')"),
        ("int y = 1; cfloat *p = 0;", "complex floats are not simulated ('cfloat')"),
        ("} template <typename T> T twice(T x) { return x + x; }", "classes and templates over"),
    ):
        with pytest.raises(UserError) as caught:
            read(f"{other}void k(int32_t *a, int32_t *b) {{\n{line}\n}}", "k.cc", function=None)
        found = caught.value.diagnostics[0]
        assert said in found.text and found.location is not None and found.location.line == 3
    assert read(other + "void k(int32_t *a, int32_t *b) { *b = *a; }").name == "k"


def test_whole_vectors_are_multiplied(tmp_path: Path) -> None:
    text = (_PROGRAMS / "whole_vectors.c").read_text()
    path = tmp_path / "k.cc"
    path.write_text(text)
    values = {**inputs(16), "w": inputs(32)["w"]}
    program = read(text, str(path), function="k")
    found = execute(program, values).arrays["b"].ravel()
    host = run_on_host(program, str(path), values)["b"].ravel()[: found.size]
    skipped = np.arange(found.size)
    written = (skipped < 17) | (skipped >= 32)
    np.testing.assert_array_equal(found[written], host[written])
    assert np.count_nonzero(found) > 10


def test_methods_become_functions() -> None:
    text = "aie::vector<int16, N> v; v.insert(0, f(v.get(1)));  const int N = 4 * 4;"
    assert lowered(text).startswith("v16int16 v; (v = __aie_insert(v, 0, f(__aie_get(v, 1))));")
    assert lowered("x.insert(1, 2);") == "x.insert(1, 2);", "there is nothing of the API"


def test_locks_and_wide_z_of_public_kernels() -> None:
    program = read((_PROGRAMS / "locks.c").read_text())
    values = inputs(32)
    found = execute(program, values).arrays["b"].ravel()[:8]
    np.testing.assert_array_equal(found, (values["a"][:8] * values["w"][1]) >> 2)


def test_the_header_is_plain_cxx(tmp_path: Path) -> None:
    from tests.transforms.aie.contractions import INCLUDE

    (tmp_path / "a.cc").write_text('#include "aie_api/aie.hpp"\nint main() { return 0; }\n')
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{INCLUDE}"]
    subprocess.run(["g++", *flags, "a.cc"], check=True, cwd=tmp_path)
