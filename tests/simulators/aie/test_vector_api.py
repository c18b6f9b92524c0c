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

HEAD = "#include <adf.h>\n#include <aie_api/aie.hpp>\n#include <aie_api/aie_adf.hpp>\n"
# Kernels ``k`` of a and w to b, by what they use; elements are of 16 or 32 bits.
KERNELS = {
    "loads, stores and lanes": (32, """
constexpr unsigned LANES = 8;
void k(const int32_t *__restrict a, const int32_t *__restrict w, int32_t *__restrict b) {
  aie::vector<int32_t, LANES> step = aie::broadcast<int32_t, LANES>(w[3]);
  for (int i = 0; i < 8; i++) {
    aie::vector<int32, LANES> x = aie::load_v<LANES>(a + 8 * i), y = aie::load_v<8>(w);
    aie::vector<int32, 2 * LANES> both = aie::concat(aie::max(x, y), aie::min(x, 7));
    x = aie::sub(aie::add(both.extract<8>(0), both.extract<8>(1)), step);
    aie::store_v(b + 8 * i, x);
  }
}"""),
    "products of lanes": (16, """
void k(input_window<int16> *a, input_window<int16> *w, output_window<int16> *__restrict b) {
  aie::vector<int16, 16> z = window_read_v<16>(w);
  aie::accum<acc48, 16> acc;
  for (int i = 0; i < 6; i++) chess_prepare_for_pipelining {
    aie::vector<int16, 16> x = window_readincr_v<16>(a);
    acc = aie::mul(x, z);
    acc = aie::mac(acc, x, z);
    window_writeincr(b, acc.to_vector<int16>(5));
  }
}"""),
    "sliding products in a namespace": (16, """
namespace filters { namespace inner {
using taps = aie::sliding_mul_ops<16, 4, 1, 1, 1, int16, int16>;
void k(adf::input_buffer<int16> &__restrict a, adf::input_buffer<int16> &w,
       adf::output_buffer<int16> &b) {
  auto pa = aie::begin_vector<16>(a);
  auto pb = aie::begin_vector<16>(b);
  aie::vector<int16, 32> x;
  const aie::vector<int16, 16> z = aie::load_v<16>(w.data());
  x.insert(0, *pa++);
  for (unsigned i = 0; i < 4; i++) {
    x.insert((i + 1) & 1, *pa++);
    aie::accum<acc48, 16> sums = taps::mul(z, 2, x, 3);
    sums = taps::mac(sums, z, 8, x, 6);
    sums = aie::sliding_mul_sym_ops<16, 8, 1, 1, 1, int16, int16>::mac_sym(sums, z, 3, x, 2);
    sums = aie::sliding_mac_sym<16, 4>(sums, z, 11, x, 9);
    *pb++ = sums.to_vector<int16>(4);
    *pb++ = aie::sliding_mul<8, 4>(z, 0, x, 5).to_vector<int16>(2).extract<8>(0);
  }
}
} }
""".replace("*pb++ = aie::sliding_mul<8, 4>(z, 0, x, 5).to_vector<int16>(2).extract<8>(0);", """
    aie::accum<acc48, 8> few = aie::sliding_mul<8, 4>(z, 0, x, 5);
    aie::vector<int16, 16> w2 = aie::zeros<int16, 16>();
    w2.insert(1, few.to_vector<int16>(2));
    *pb++ = w2;""").replace("(i + 1) & 1", "1")),
    "tiles of products": (16, """
using MMUL = aie::mmul<4, 4, 4, int16, int16>;
void k(const int16 *__restrict a, const int16 *__restrict w, int16 *__restrict b) {
  for (int i = 0; i < 3; i++) {
    const int16 *p = a + MMUL::size_A * i;
    aie::vector<int16, MMUL::size_B> x = aie::load_v<MMUL::size_C>(p), z = aie::load_v<16>(w);
    MMUL c, d; c.mul(x, z);
    c.mac(z, x);
    aie::mmul<4, 8, 4, int8, int8> e;
    aie::vector<int8, 32> s = aie::load_v<32>((const int8 *)p);
    aie::vector<int8, 32> t = aie::load_v<32>((const int8 *)w);
    aie::vector<int16, 16> wide = unpack(s.extract<16>(0));
    t.insert(0, wide.pack<int8>());
    t.insert(1, ((aie::vector<int16, 16>) wide).extract<16>(0).pack<int8>());
    e.mul(s, t);
    e.mac(t, s);
    d.mul(x, e.template to_vector<int16>(3));
    aie::store_v(b + 32 * i, c.to_vector<int16>(9));
    aie::store_v(b + 32 * i + 16, d.to_vector<int16>(7));
  }
}"""),
    "sliding products of 32 bits": (32, """
alignas(aie::vector_decl_align) static int32 weights[8] = {1, -2, 3, 4, 5, 6, 7, -8};
void k(input_window<int32> *restrict a, input_window<int32> *w, output_window<int32> *restrict b) {
  aie::vector<int32, 8> coeffs = aie::load_v<8>(weights);
  aie::vector<int32, 16> data;
  data.insert(0, window_readincr_v<8>(a));
  aie::tile here = aie::tile::current();
  unsigned long long start = here.cycles();
  for (unsigned i = 0; i < 4; i++) {
    data.insert(1, window_readincr_v<8>(a));
    aie::vector<int32, 8> out;
    out.insert(0, aie::sliding_mul<4, 8>(coeffs, 0, data, 1).to_vector<int32>());
    out.insert(1, aie::sliding_mul<4, 8>(coeffs, 0, data, 9).to_vector<int32>(1));
    window_writeincr(b, out);
    window_writeincr(b, aie::sliding_mul<8, 3>(coeffs, 1, data, 2).to_vector<int32>(3));
  }
  printf("%d\\n", (int)start);
}"""),
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
    text = """
alignas(v16int16) int16_t table[16] = {3, -1, 4, 1, -5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
void k(input_window_int16 *a, const int32_t *restrict w, output_window_int16 *b) {
  int16 first; v16int16 x;
  window_readincr(a, first);
  window_incr(a, 15);
  window_readincr(a, x);
  v16acc48 s = mul(x, *(v16int16 *)table);
  s = mac(s, x, x);
  window_writeincr(b, srs(s, 3));
  window_writeincr(b, first);
  v8acc80 t = lmac(lmul(*(v8int32 *)w, *(v8int32 *)w), *(v8int32 *)w, *(v8int32 *)(w + 8));
  window_incr(b, 15);
  window_writeincr(b, shft_elem(null_v16int16(), (int16)ext_elem(srs(t, 8), 5)));
}"""
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
    program = read("""
void k(int32_t *restrict a, int32_t *restrict w, int32_t *restrict b) {
  acquire(48, 1);
  v16int32 x = *(v16int32 *)a;
  v8acc80 s = lmul8(x, 0, 0x76543210, *(v16int32 *)w, 1, 0x0);
  *(v8int32 *)b = srs(s, 2);
  release(48, 0);
}""")
    values = inputs(32)
    found = execute(program, values).arrays["b"].ravel()[:8]
    np.testing.assert_array_equal(found, (values["a"][:8] * values["w"][1]) >> 2)


def test_the_header_is_plain_cxx(tmp_path: Path) -> None:
    from tests.transforms.aie.contractions import INCLUDE

    (tmp_path / "a.cc").write_text('#include "aie_api/aie.hpp"\nint main() { return 0; }\n')
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{INCLUDE}"]
    subprocess.run(["g++", *flags, "a.cc"], check=True, cwd=tmp_path)
