"""Convolutions in C and in Halide-like C++, written in many ways, as one object each."""

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

from s2s.analyses.contractions import extract
from s2s.frontends.c.typed import NotATensorNest
from s2s.net.aie.reference import dtype_of, reference, shape_of
from s2s.scop.contraction import Contraction, NotAContraction
from tests.analyses.contractions import programs

PLAIN = """
void conv(const int16_t I[10][40], const int16_t W[3][3], int16_t O[8][32]) {
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 32; x++) {
      int32_t acc = 0;
      for (int s = 0; s < 3; s++)
        for (int r = 0; r < 3; r++)
          acc += I[y + s][x + r] * W[s][r];
      O[y][x] = (int16_t)(acc >> 10);
    }
}
"""
SAME = {
    "other names and order": """
#define WIDTH 32
void conv(const int16_t I[10][40], const int16_t W[3][3], int16_t O[8][WIDTH]) {
  int row, b, a;
  for (unsigned col = 0; col != WIDTH; ++col)
    for (row = 0; row < 8; row += 1) {
      long total = 0L;
      for (a = 0; a <= 2; a++)
        for (b = 0; 3 > b; b++)
          total = (long)W[b][a] * I[b + row][col + a] + total;
      O[row][col] = total >> 10;
    }
}""",
    "flat, row pointers, sums of a row, loops that run down": """
void conv(const short *restrict I, const short *restrict W, short *O) {
  int x, s;
  for (int y = 7; y >= 0; --y) {
    int sums[32];
    short *to = O + y * 32;
    for (x = 0; x < 32; x++) sums[x] = 0;
    for (s = 0; s < 3; s++) {
      const short *row = &I[(y + s) * 40];
      for (x = 0; x < 32; ++x)
        for (int r = 2; r >= 0; r--)
          *(sums + x) += row[x + r] * *(W + s * 3 + r);
    }
    for (x = 0; x < 32; x++) to[x] = sums[x] >> 10;
  }
}""",
    "three nests over all": """
void conv(int16_t I[10][40], int16_t W[3][3], int16_t O[8][32]) {
  int32_t acc[8][32];
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) acc[y][x] = 0;
  for (int s = 0; s < 3; s++) for (int y = 0; y < 8; y++)
    for (int r = 0; r < 3; r++) for (int x = 0; x < 32; x++)
      acc[y][x] += I[y + s][x + r] * W[s][r];
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) O[y][x] = acc[y][x] >> 10;
}""",
    "names for elements, offsets, a parameter for the size": """
void conv(const int16_t (*I)[40], const int16_t W[3][3], int16_t O[8][32], int w) {
  for (int y = 1; y <= 8; y++)
    for (int x = 1; x <= w; x++) {
      int acc = 0;
      for (int s = -1; s <= 1; s++)
        for (int r = -1; r <= 1; r++) {
          const int at = x + r;
          int16_t tap = W[s + 1][r + 1], pixel = I[y + s][at];
          acc += tap * pixel;
        }
      acc >>= 4;
      acc >>= 6;
      O[y - 1][x - 1] = acc;
    }
}""",
}


@pytest.mark.parametrize("name", SAME)
def test_one_convolution_written_in_many_ways_is_one_object(name: str) -> None:
    plain, other = programs.from_c(PLAIN), programs.from_c(SAME[name], {"w": 32})
    found = other.accumulator
    assert str(other).replace(f"[{found}]", f"[{plain.accumulator}]") == str(plain)


def test_the_same_convolution_in_halide_is_the_same_object() -> None:
    text = """
    #include "Halide.h"
    using namespace Halide;
    class Conv : public Generator<Conv> {
    public:
        Input<Buffer<int16_t, 2>> I{"I"}, W{"W"};
        Output<Buffer<int16_t, 2>> O{"O"};
        void generate() {
            Var x, y;
            RDom r(0, 3, 0, 3);
            Func acc;
            I.dim(0).set_bounds(0, 40);
            acc(x, y) += cast<int32_t>(I(x + r.x, y + r.y)) * W(r.x, r.y);
            O(x, y) = cast<int16_t>(acc(x, y) >> 10);
        }
    };
    HALIDE_REGISTER_GENERATOR(Conv, conv)
    """
    assert programs.from_halide(text, (32, 8)) == programs.from_c(PLAIN)


STRUCTURES = """
typedef struct { int16_t *data; int width; } tensor;
struct filter { int16_t taps[3][3]; int shift; };
void conv(const tensor *I, const struct filter *restrict W, tensor *restrict O) {
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < O->width; x++) {
      int acc = 0;
      for (int s = 0; s < 3; s++)
        for (int r = 0; r < 3; r++)
          acc += I->data[(y + s) * I->width + x + r] * (*W).taps[s][r];
      O->data[y * O->width + x] = acc >> W->shift;
    }
}"""


def test_members_of_structures_are_arrays_and_sizes() -> None:
    found = programs.from_c(STRUCTURES, {"I.width": 40, "O.width": 32, "shift": 10})
    text = str(found).replace("_data", "").replace("_taps", "")
    assert text == str(programs.from_c(PLAIN))
    with pytest.raises(NotATensorNest, match=r"'O.width' is not known; give it as a size"):
        programs.from_c(STRUCTURES, {"I.width": 40})


WRONG = {
    "products of one sum do not advance evenly": """
void f(int16_t *o, const int16_t *a, const int16_t *w) {
  for (int i = 0; i < 64; i++) o[i] = a[i] * w[0] + a[i + 1] * w[1] + w[2] * a[i + 4]; }""",
    "one product is added twice": """
void f(int16_t *o, const int16_t *a, const int16_t *w) {
  for (int i = 0; i < 64; i++) o[i] = a[i] * w[0] + a[i + 1] * w[1] + w[0] * a[i]; }""",
    "products of different elements": """
void f(int16_t *o, const int16_t *a, const int16_t *w, const int16_t *b) {
  for (int i = 0; i < 64; i++) o[i] = a[i] * w[0] + a[i + 1] * b[1]; }""",
    "acc is computed again": """
void f(int16_t C[4][8], int16_t A[4][8], int16_t B[8][8]) {
  for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) {
    int acc = 0;
    for (int p = 0; p < 8; p++) { acc += A[i][p] * B[p][k]; C[i][k] = acc; } } }""",
    "of a loop": """
void f(int16_t C[4][8], int16_t A[4][8], int16_t B[8][8]) {
  int acc = 0;
  for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) {
    for (int p = 0; p < 8; p++) acc += A[i][p] * B[p][k];
    C[i][k] = acc; } }""",
    "is used before it is computed": """
void f(int16_t C[4][8], int16_t A[4][8], int16_t B[8][8]) {
  for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) {
    int acc;
    for (int p = 0; p < 8; p++) acc += A[i][p] * B[p][k];
    C[i][k] = acc; } }""",
    "only the lowest 7 bits": """
void f(int8_t C[4][8], int16_t A[4][8], int16_t B[8][8]) {
  for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) {
    int16_t acc = 0;
    for (int p = 0; p < 8; p++) acc += A[i][p] * B[p][k];
    C[i][k] = acc >> 9; } }""",
    "changed again in each iteration of loop t": """
void f(int16_t C[4][8], int16_t A[4][8], int16_t B[8][8]) {
  for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) C[i][k] = 0;
  for (int t = 0; t < 2; t++) for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) {
    for (int p = 0; p < 8; p++) C[i][k] += A[i][p] * B[p][k];
    C[i][k] >>= 3; } }""",
    "a factor is an element of A": """
void f(int16_t A[16]) {
  for (int i = 1; i < 16; i++) for (int p = 0; p < 2; p++) A[i] += A[i - 1] * A[p]; }""",
    "rounds to zero": """
void f(int16_t C[8], int16_t A[16], int16_t B[8]) {
  for (int i = 0; i < 8; i++) { int acc = 0; for (int p = 0; p < 8; p++) acc += A[i + p] * B[p];
    C[i] = acc / 4; } }""",
    "there is a condition": """
void f(int16_t C[8], int16_t A[16], int16_t B[8]) {
  for (int i = 0; i < 8; i++) for (int p = 0; p < 8; p++) if (A[i]) C[i] += A[i + p] * B[p]; }""",
    "a call of 'g'": """
int g(int);
void f(int16_t C[8], int16_t A[16], int16_t B[8]) {
  for (int i = 0; i < 8; i++) for (int p = 0; p < 8; p++) C[i] += A[i + p] * g(B[p]); }""",
    "a pointer becomes one to another type": """
void f(int16_t *o, const int16_t *a, const int16_t *w) {
  const int8_t *p = a;
  for (int i = 0; i < 64; i++) { int s = 0;
    for (int k = 0; k < 4; k++) s += p[i + k] * w[k];
    o[i] = s; } }""",
    "'p' moves in a branch": """
void f(int16_t *o, const int16_t *a, const int16_t *w) {
  const int16_t *p = a;
  for (int i = 0; i < 64; i++) { int s = 0;
    for (int k = 0; k < 4; k++) { s += p[k] * w[k]; if (k == 3) p++; }
    o[i] = s; } }""",
    "where 'p' points to is not known": """
void f(int16_t *o, const int16_t *a, const int16_t *w) {
  const int16_t *p = a;
  for (int i = 0; i < 64; i++) { int s = 0;
    for (int k = 0; k < 4; k++) s += p[k] * w[k];
    o[i] = s; p = a + i; } }""",
    "what depends on 'k', which changes": """
void f(int16_t *o, const int16_t *a, const int16_t *w) {
  int k;
  for (k = 0; k < 4; k++) o[k] = 0;
  const int16_t *p = a + k;
  for (int i = 0; i < 64; i++) for (k = 0; k < 4; k++) o[i] += p[i] * w[k]; }""",
    "a pointer or index that is read from memory": """
void f(int32_t *o, const int16_t *a, const int16_t *w, int *at) {
  const int16_t *p = a + at[0];
  for (int i = 0; i < 64; i++) {
    at[0] = i;
    for (int k = 0; k < 4; k++) o[i] += p[i + k] * w[k]; } }""",
    "a step in what is changed": """
void f(int32_t *o, const int16_t *a, const int16_t *w) {
  for (int i = 0; i < 64; i++) for (int k = 0; k < 4; k++) *o++ += a[i + k] * w[k]; }""",
    "a loop whose body runs before its test fails": """
void f(int32_t *o, const int16_t *a, const int16_t *w) {
  for (int i = 0; i < 64; i++) { int k = 4; do o[i] += a[i + k] * w[k]; while (++k < 4); } }""",
    "returns from more than its end": """
static int helper(const int16_t *a, const int16_t *w) {
  int s = 0;
  for (int k = 0; k < 4; k++) { if (s > 9) return s; s += a[k] * w[k]; }
  return s; }
void f(int32_t *o, const int16_t *a, const int16_t *w) {
  for (int i = 0; i < 64; i++) o[i] = helper(a + i, w); }""",
    "'n' is not known": """
void f(int16_t *C, int16_t *A, int16_t *B, int n) {
  for (int i = 0; i < n; i++) for (int p = 0; p < 8; p++) C[i] += A[i + p] * B[p]; }""",
    "is not affine": """
void f(int16_t C[8], int16_t A[16], int16_t B[8]) {
  for (int i = 0; i < 8; i++) for (int p = 0; p < 8; p++) C[i] += A[i * p] * B[p]; }""",
    "from 0 to 15 where it has 12": """
void f(int16_t C[8][8], int16_t A[9][12], int16_t B[8]) {
  for (int k = 0; k < 8; k++) for (int i = 0; i < 8; i++) for (int p = 0; p < 9; p++)
    C[k][i] += A[k][i + p] * B[p]; }""",
    "computes the same elements again": """
void f(int16_t C[8], int16_t A[16], int16_t B[8]) {
  for (int t = 0; t < 3; t++) for (int i = 0; i < 8; i++) {
    int acc = 0; for (int p = 0; p < 8; p++) acc += A[i + p] * B[p];
    C[i] = acc; } }""",
    "no integers": """
void f(float C[8], float A[16], float B[8]) {
  for (int i = 0; i < 8; i++) for (int p = 0; p < 8; p++) C[i] += A[i + p] * B[p]; }""",
}


@pytest.mark.parametrize("reason", WRONG)
def test_what_is_no_contraction_is_refused_with_the_reason(reason: str) -> None:
    with pytest.raises((NotATensorNest, NotAContraction)) as refused:
        extract(programs.nest(WRONG[reason]))
    assert reason in str(refused.value)


MORE = {
    "small functions": """
static inline int product(int16_t a, int16_t b) { return a * b; }
static int at(int row, int column) { const int width = 24; return row * width + column; }
static int8_t saturated(int v) { if (v > 127) return 127; if (v < -128) return -128; return v; }
void f(int8_t *C, const int16_t *A, const int16_t B[5]) {
  for (int j = 0; j < 3; j++) for (int i = 0; i < 20; i++) {
    int acc = 0;
    for (int p = 0; p < 5; p++) acc += product(A[at(j, i + p)], B[p]);
    C[at(j, i)] = saturated(acc >> 9); } }""",
    "products written out": """
void f(int16_t o[8][64], const int16_t a[10][80], const int16_t w[3][3]) {
  for (int j = 0; j < 8; j++) for (int i = 0; i < 64; i++) {
    int acc = 0;
    for (int s = 0; s < 3; s++) {
      acc += a[j + s][i] * w[s][0]; acc += w[s][1] * a[j + s][i + 1] + a[j + s][i + 2] * w[s][2]; }
    o[j][i] = acc >> 4; } }""",
    "rows of products written out": """
void f(int16_t o[8][64], const int16_t a[10][80], const int16_t w[2][2]) {
  for (int j = 0; j < 8; j++) for (int i = 0; i < 64; i++)
    o[j][i] = (a[j][i] * w[0][0] + a[j][i + 1] * w[0][1] + a[j + 1][i] * w[1][0]
               + a[j + 1][i + 1] * w[1][1]) >> 4; }""",
    "limits": """
void f(int8_t C[4][8], const int8_t A[4][8], const int8_t B[8][8], const int32_t bias[8]) {
  for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) {
    int acc = bias[k];
    for (int p = 0; p < 8; p++) acc += A[i][p] * B[p][k];
    int v = acc >> 7;
    C[i][k] = v > 127 ? 127 : v < -128 ? -128 : v; } }""",
    "limits by statements": """
void f(uint8_t C[4][8], const uint8_t A[4][8], const int8_t B[8][8]) {
  for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) {
    int acc = 0;
    for (int p = 0; p < 8; p++) acc += A[i][p] * B[p][k];
    acc = (acc + 16) >> 5;
    if (acc > 255) acc = 255;
    if (acc < 0) { acc = 0; }
    C[i][k] = acc; } }""",
    "strides and dilation into what is there": """
void f(int32_t *o, const int32_t *a, const int32_t *w) {
  for (int i = 0; i < 25; i++) for (int p = 0; p < 8; p++) o[i] += a[2 * i + 3 * p] * w[p]; }""",
    "narrow sums that wrap": """
void f(int8_t C[4][8], const int16_t A[4][8], const int16_t B[8][8]) {
  for (int i = 0; i < 4; i++) for (int k = 0; k < 8; k++) {
    int16_t acc = 0;
    for (int p = 0; p < 8; p++) acc += A[i][p] * B[p][k];
    C[i][k] = acc >> 8; } }""",
    "weights turned round": """
void f(int16_t C[20], const int16_t A[24], const int16_t B[5]) {
  for (int i = 0; i < 20; i++) { int acc = 8; for (int p = 0; p < 5; p++)
    acc += A[i + 4 - p] * B[p];
    C[i] = acc >> 4; } }""",
    "channels, kernels and a third dimension": """
void f(int16_t C[3][2][4][8], const int16_t A[2][4][6][10], const int16_t B[3][2][3][3][3]) {
  for (int k = 0; k < 3; k++) for (int z = 0; z < 2; z++) for (int y = 0; y < 4; y++)
    for (int x = 0; x < 8; x++) {
      int acc = 0;
      for (int c = 0; c < 2; c++) for (int t = 0; t < 3; t++) for (int s = 0; s < 3; s++)
        for (int r = 0; r < 3; r++) acc += A[c][z + t][y + s][x + r] * B[k][c][t][s][r];
      C[k][z][y][x] = acc >> 3; } }""",
    "the first product by hand": """
void f(int32_t *o, const int16_t *a, const int16_t *w) {
  for (int i = 0; i < 24; i++) {
    o[i] = a[i] * w[0];
    for (int k = 1; k < 5; k++) o[i] += a[i + k] * w[k]; } }""",
    "each channel for itself": """
void f(int16_t C[4][16], const int16_t A[4][20], const int16_t B[4][5]) {
  for (int x = 0; x < 16; x++) for (int k = 0; k < 4; k++) {
    C[k][x] = 0;
    for (int r = 0; r < 5; r++) C[k][x] += (int16_t)(A[k][x + r] * B[k][r]); } }""",
}


@pytest.mark.parametrize("name", MORE)
def test_the_contraction_computes_what_the_program_does(name: str, tmp_path: Path) -> None:
    found = programs.from_c(MORE[name])
    library = built(MORE[name], tmp_path)
    for seed in (1, 2):
        arrays = random_arrays(found, seed)
        wanted = {name: array.copy() for name, array in arrays.items()}
        library.f(*(wanted[name].ctypes.data_as(ctypes.c_void_p) for name in found.arguments))
        output = found.output.array.name
        assert (reference(found, arrays) == wanted[output]).all()


def built(text: str, folder: Path) -> ctypes.CDLL:
    source, library = folder / "f.c", folder / "f.so"
    source.write_text(programs.HEADER + text)
    subprocess.run(["gcc", "-O1", "-fwrapv", "-shared", "-fPIC", source, "-o", library], check=True)
    return ctypes.CDLL(str(library))


def random_arrays(found: Contraction, seed: int) -> dict[str, np.ndarray]:
    """Values small enough that sums do not overflow int32, where that is the accumulator."""
    random = np.random.default_rng(seed)
    arrays = {}
    for access in found.accesses:
        array = access.array.memory
        if array.data is not None:
            continue  # the program's own
        limit = 1 << min(array.type.bits - 1, 12)
        low = 0 if array.type.code == "uint" else -limit
        values = random.integers(low, limit, shape_of(array))
        arrays[array.name] = values.astype(dtype_of(array.type))
    return arrays
