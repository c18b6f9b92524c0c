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

# Every kernel takes three arrays; b is what it writes.
HEAD = '#include "aie_intrinsics.h"\n'
KERNELS = {
    "pointers that move on": """
void f(const int16_t *restrict a, const int16_t *restrict w, int16_t *restrict b) {
  const v16int16 *p = (const v16int16 *)a;
  v16int16 *q = (v16int16 *)b;
  v16int16 z = *(v16int16 *)w;
  for (int i = 0; i < 4; i++) {
    v32int16 x = undef_v32int16();
    x = upd_w(x, 0, *p++);
    x = upd_w(x, 1, *p);
    *q++ = srs(mul16(x, 0, 0x03020100, 0x07060504, 0x2110, z, 0, 0, 0, 1), 4);
  }
}""",
    "helpers with references, pointers and values": """
#define OFFSETS 0x76543210
static inline void add(v8acc80 &sum, v16int32 x, v8int32 z) {
  sum = lmac8(sum, x, 1, OFFSETS, z, 1, 0);
}
static void twice(v8acc80 *sum, v16int32 x, v8int32 z) {
  *sum = lmsc8(*sum, x, 2, OFFSETS, z, 2, 0);
  add(*sum, x, z);
}
static v16int32 wide(const int32_t *p) {
  return concat(*(v8int32 *)p, *(v8int32 *)(p + 8));
}
void f(const int32_t *a, const int32_t *w, int32_t *b) {
  for (int i = 0; i < 32; i += 8) chess_prepare_for_pipelining chess_loop_range(4, 4) {
    v16int32 x = wide(a + i);
    v8int32 z = *(v8int32 *)w;
    v8acc80 sum = lmul8(x, 0, OFFSETS, z, 0, 0);
    add(sum, x, z);
    twice(&sum, x, z);
    *(v8int32 *)(b + i) = srs(sum, 11);
  }
}""",
    "an array of accumulators, unrolled": """
void f(const int16_t *restrict a, const int16_t *restrict w, int16_t *restrict b) {
  v16acc48 sums[2][2];
  v16int16 z = *(v16int16 *)w;
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < 2; j++) {
      v32int16 x = *(v32int16 *)(a + 16 * k + 32 * j);
      sums[k][j] = mul16(x, 0, 0x03020100, 0x07060504, 0x2110, z, 2, 0, 0, 1);
      for (int i = 1; i < 4; ++i) chess_unroll_loop(*)
        sums[k][j] = mac16(sums[k][j], x, 2 * i, 0x03020100, 0x07060504, 0x3221, z, 4, 0, 0, 1);
    }
  for (int k = 0; k < 4; k++) *(v16int16 *)(b + 16 * k) = srs(sums[k / 2][k & 1], 9);
}""",
    "a sum carried by a loop": """
void f(const int32_t *a, const int32_t *w, int32_t *b) {
  v8acc80 sum = null_v8acc80();
  int i = 0;
  do {
    v16int32 x = *(v16int32 *)(a + 8 * i);
    sum = lmac8(sum, x, i, 0x76543210, *(v8int32 *)(w), 3, 0);
    i++;
  } while (i < 5);
  *(v8int32 *)b = srs(sum, 20);
  *(v8int64 *)(b + 8) = lsrs(sum, 0);
}""",
    "a register of the iteration before": """
void f(const int16_t *a, const int16_t *w, int16_t *b) {
  v32int16 x = undef_v32int16();
  x = upd_w(x, 0, *(v16int16 *)a);
  v16int16 z = *(v16int16 *)w;
  for (int i = 0; i < 6; i += 2) {
    x = upd_w(x, 1, *(v16int16 *)(a + 16 * i + 16));
    *(v16int16 *)(b + 16 * i) = srs(mul16(x, 2, 0x03020100, 0x07060504, 0x2110, z, 0, 0, 0, 1), 8);
    x = upd_w(x, 0, *(v16int16 *)(a + 16 * i + 32));
    *(v16int16 *)(b + 16 * i + 16) =
        srs(mul16(x, 18, 0x03020100, 0x07060504, 0x2110, z, 0, 0, 0, 1), 8);
  }
}""",
    "branches, early ends and other numbers": """
enum { STEP = 16, LAST = 3 };
const int shifts[4] = {3, 5, 7, 9};
static void one(const int16_t *a, const int16_t *w, int16_t *b, int i) {
  if (i == 2) return;
  v32int16 x = *(v32int16 *)a;
  v16acc48 sum = mul16(x, 0, 0, 0, 0x2110, *(v16int16 *)w, 0, 0x76543210, 0xfedcba98, 1);
  int shift = shifts[i];
  if (i & 1) {
    sum = mac16(sum, x, 4, 0, 0, 0x2110, *(v16int16 *)w, 0, 0x76543210, 0xfedcba98, 1);
    shift = i > 1 ? shift + 1 : shift - 1;
  } else
    shift += (int)(unsigned char)(256 + i);
  *(v16int16 *)b = srs(sum, shift);
}
void f(const int16_t *a, const int16_t *w, int16_t *b) {
  for (unsigned i = 0; i <= LAST; ++i) one(&a[i * STEP], w, b + i * STEP, i);
}""",
    "windows": """
void f(input_window_int16 *restrict a, input_window_int16 *w, output_window_int16 *restrict b) {
  v16int16 z = window_readincr_v16(w);
  window_acquire(a);
  for (int i = 0; i < 3; i++) {
    v32int16 x = undef_v32int16();
    x = upd_w(x, 0, window_readincr_v16(a));
    x = upd_w(x, 1, window_read_v16(a));
    window_writeincr(b, srs(mul16(x, 6, 0x03020100, 0x07060504, 0x2110, z, 0, 0, 0, 1), 15));
    window_incr(a, 16);
  }
  window_writeincr(b, window_readincr_v16(a));
}""",
    "bytes, saturated and rounded": """
void f(const int8_t *a, const int8_t *w, int8_t *b) {
  set_rnd(rnd_conv_even);
  set_sat();
  v64int8 x = *(v64int8 *)w;
  for (int i = 0; i < 64; i += 16) {
    v32int8 z = *(v32int8 *)(a + i);
    v16acc48 sum = negmul16(x, 4, 0x00000000, 4, 0x1010, z, 0, 0x43322110, 2, 0x2110);
    sum = mac16(sum, x, 8, 0x03020100, 4, 0x1032, z, 2, 0x76543210, 2, 0x3210);
    *(v16int8 *)(b + i) = bsrs(sum, 6);
  }
}""",
    "two dimensions and memory of its own": """
typedef int32_t word;
static word scratch[4][16];
void f(const int32_t a[8][16], const int32_t *w, int32_t (*b)[16]) {
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 16; x += 8) {
      v16int32 v = null_v16int32();
      v = upd_w(v, 0, *(v8int32 *)&a[2 * y][x]);
      *(v8int32 *)&scratch[y][x] = srs(lmul8(v, 0, 0x76543210, *(v8int32 *)w, 5, 0), 16);
    }
  for (int y = 3; y >= 0; y--) {
    word *row = scratch[y];
    for (int x = 0; x != 16; ++x) b[y][x] = row[15 - x] * 3 - (x << 2);
  }
}""",
    "namespaces, array references and additions": """
namespace one { namespace two { inline int twice(int n) { return 2 * n; } } }
using namespace one::two;
void f(input_window_int32 *restrict a, const int32_t (&w)[16], output_window_int32 *b) {
  const int32_t *restrict from = (int32_t *)a->ptr;
  v8int32 *restrict to = (v8int32 *)b->ptr;
  alignas(32) int32_t ones[8] = {1, 2, 3, -4};
  v8int32 z = *(v8int32 *)ones;
  for (unsigned i = 0; i < 4; i++) chess_prepare_for_pipelining chess_loop_range(1, ) {
    v16int32 x = *(v16int32 *)(from + 8 * i), sums;
    v8int32 low = srs(lmul8(x, 1, 0x76543210, z, 0, 0x32103210), 3);
    sums = sub16(concat(low, undef_v8int32()), 0, 0x76543210, 0xFEDCBA98,
                 concat(*(v8int32 *)w, low), i, 0x54321076, 0xFEDCBA98);
    *to++ = ext_w(sums, 0);
    sums = add16(x, concat(low, low));
    unsigned greater = gt16(sums, i, 0x76543210, 0xFEDCBA98, x, 0, 0x76543210, 0xFEDCBA98);
    sums = select16(greater ^ twice(i), sums, add16(x, sums));
    *(to)++ = ext_w(sums, 1);
  }
}
""",
    "templates over numbers, names for types": """
using word = int16_t;
template <int TAPS,
          unsigned START>
static inline v16acc48 row(const word *a, v16acc48 acc, v16int16 z) {
  v32int16 x = *(v32int16 *)a;
  for (int i = 0; i < TAPS; i += 2)
    acc = mac16(acc, x, i, 0x03020100, 0x07060504, 0x2110, z, START + i, 0, 0, 1);
  return acc;
}
template <int N> int shift() { return N + 1; }
void f(const word *a, const word *w, word *b) {
  v16int16 z = *(v16int16 *)w;
  v16acc48 acc = row<4, 2>(a, null_v16acc48(), z);
  acc = row<6, 0>(a + 16, acc, z);
  *(v16int16 *)b = srs(acc, shift<11>());
}""",
    "elements, steps of columns, sums from vectors": """
void f(const int32_t *a, const int16_t *w, int32_t *b) {
  for (int i = 0; i < 4; i++) {
    v16int32 x = *(v16int32 *)(a + 8 * i);
    v16int16 z = *(v16int16 *)w;
    int first = ext_elem(x, 3) ^ 0x55;
    x = upd_elem(x, 2, first);
    v8acc80 sum = lups(ext_w(x, 1), 4);
    sum = lmac8(sum, x, 0, 0x76543210, 8, z, 0, 0x00000000, 1);
    *(v8int32 *)(b + 8 * i) = srs(sum, 10);
  }
}""",
}
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
    program = read("""
void f(input_cascade<acc48> *from, output_stream_acc48 *__restrict to, int16_t *b) {
  v8acc48 sums = readincr_v<8>(from);
  *(v8int16 *)b = srs(sums, 0);
  writeincr_v8(to, sums);
}""")
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
