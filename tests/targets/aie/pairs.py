"""The same computations in C and in Halide-like C++."""


def generator(inputs: str, output: str, body: str) -> str:
    """A Halide generator with the body of its ``generate``."""
    return f"""
#include "Halide.h"
using namespace Halide;
class F : public Generator<F> {{
public:
    {inputs}
    {output}
    void generate() {{ Var x, y, k; {body} }}
}};
HALIDE_REGISTER_GENERATOR(F, f)
"""


IMAGES = 'Input<Buffer<int16_t, 2>> I{"I"}, W{"W"};'
OUT = 'Output<Buffer<int16_t, 2>> O{"O"};'
# C, Halide, the size of the output.
PAIRS = {
    "a filter and a rectifier": (
        """
void f(const int16_t I[10][40], const int16_t W[3][3], int16_t O[8][32]) {
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
    int acc = 0;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++) acc += I[y + s][x + r] * W[s][r];
    O[y][x] = acc < 0 ? 0 : acc >> 10;
  }
}""",
        generator(
            IMAGES,
            OUT,
            """RDom r(0, 3, 0, 3); Func acc; I.dim(0).set_bounds(0, 40);
            acc(x, y) = 0;
            acc(x, y) += cast<int32_t>(I(x + r.x, y + r.y)) * W(r.x, r.y);
            O(x, y) = cast<int16_t>(max(acc(x, y) >> 10, 0));
            acc.compute_at(O, y).update().unroll(r.x);""",
        ),
        (32, 8),
    ),
    "a layer with a bias, saturated": (
        """
void f(const int16_t I[4][6][40], const int16_t W[5][4][3][3], const int32_t B[5],
       int16_t O[5][4][32]) {
  for (int y = 0; y < 4; y++) for (int x = 0; x < 32; x++) for (int k = 0; k < 5; k++) {
    int acc;
    for (int c = 0; c < 4; c++) for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++) {
      if (c + s + r == 0 && c == 0 && s == 0 && r == 0) acc = B[k];
      acc += I[c][y + s][x + r] * W[k][c][s][r];
    }
    acc >>= 8;
    O[k][y][x] = acc > 32767 ? 32767 : acc < -32768 ? -32768 : acc;
  }
}""",
        generator(
            """Input<Buffer<int16_t, 3>> I{"I"}; Input<Buffer<int16_t, 4>> W{"W"};
            Input<Buffer<int32_t, 1>> B{"B"};""",
            'Output<Buffer<int16_t, 3>> O{"O"};',
            """RDom r(0, 3, 0, 3, 0, 4); Func acc; I.dim(0).set_bounds(0, 40);
            acc(x, y, k) = B(k);
            acc(x, y, k) += cast<int32_t>(I(x + r.x, y + r.y, r.z)) * W(r.x, r.y, r.z, k);
            O(x, y, k) = saturating_cast<int16_t>(acc(x, y, k) >> 8);
            acc.compute_root(); acc.update().reorder(k, r.x, x, r.y, y, r.z);""",
        ),
        (32, 4, 5),
    ),
    "strides and dilation": (
        """
void f(const int16_t (*I)[40], const int16_t W[3][3], int16_t O[4][16]) {
  for (int x = 0; x < 16; x++) for (int y = 3; y >= 0; y--) {
    long acc = 0;
    for (int s = 0; s < 3; s++) {
      const int16_t *from = I[2 * (y + s)];
      for (int r = 0; r < 3; r++) acc += (long)W[s][r] * *(from + 2 * x + r);
    }
    O[y][x] = acc >> 10;
  }
}""",
        generator(
            IMAGES,
            OUT,
            """RDom r(0, 3, 0, 3); Func acc; I.dim(0).set_bounds(0, 40);
            acc(x, y) += cast<int64_t>(I(2 * x + r.x, 2 * y + 2 * r.y)) * W(r.x, r.y);
            O(x, y) = cast<int16_t>(acc(x, y) >> 10);""",
        ),
        (16, 4),
    ),
    "a product of matrices of mixed widths": (
        """
void f(const int16_t I[6][16], const int8_t W[16][32], int32_t O[6][32]) {
  for (int y = 0; y < 6; y++) for (int c = 0; c < 16; c++) for (int x = 0; x < 32; x++) {
    if (c == 0) O[y][x] = 0;
    O[y][x] += I[y][c] * W[c][x];
  }
}""",
        generator(
            """Input<Buffer<int16_t, 2>> I{"I"}; Input<Buffer<int8_t, 2>> W{"W"};""",
            'Output<Buffer<int32_t, 2>> O{"O"};',
            """RDom c(0, 16); Func in, acc; in(x, y) = I(x, y);
            acc(x, y) += cast<int32_t>(in(c, y)) * W(x, c);
            O(x, y) = acc(x, y); in.compute_root(); acc.compute_root().vectorize(x, 8);""",
        ),
        (32, 6),
    ),
    "a sum in one expression": (
        """
void f(const int16_t *restrict I, const int16_t *restrict W, int16_t *restrict O) {
  for (int i = 0; i < 2; i++)
    for (int n = 0; n < 64; n++)
      O[64 * i + n] = (W[0] * I[72 * i + n] + I[72 * i + n + 1] * W[1] + I[n + 72 * i + 2] * W[2]
                       + I[72 * i + n + 3] * W[3] + 64) >> 7;
}""",
        generator(
            """Input<Buffer<int16_t, 2>> I{"I"}; Input<Buffer<int16_t, 1>> W{"W"};""",
            OUT,
            """RDom r(0, 4); I.dim(0).set_bounds(0, 72);
            O(x, y) = cast<int16_t>((sum(cast<int32_t>(I(x + r, y)) * W(r)) + 64) >> 7);""",
        ),
        (64, 2),
    ),
    "a border of zeros": (
        """
void f(const int16_t I[8][32], const int16_t W[3][3], int16_t O[8][32]) {
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
    int acc = 0;
    for (int s = -1; s <= 1; s++) {
      if (y + s < 0 || y + s > 7) continue;
      for (int r = -1; r <= 1; r++)
        acc += (x + r >= 0 && x + r < 32 ? I[y + s][x + r] : 0) * W[s + 1][r + 1];
    }
    O[y][x] = acc >> 10;
  }
}""",
        generator(
            IMAGES,
            OUT,
            """RDom r(-1, 3, -1, 3);
            Func in = BoundaryConditions::constant_exterior(I, 0, {{0, 32}, {0, 8}});
            O(x, y) = cast<int16_t>(
                sum(cast<int32_t>(in(x + r.x, y + r.y)) * W(r.x + 1, r.y + 1)) >> 10);""",
        ),
        (32, 8),
    ),
    "zero points": (
        """
void f(const uint8_t I[10][40], const uint8_t W[3][3], int32_t O[8][32]) {
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
    O[y][x] = 0;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++)
      O[y][x] += (I[y + s][x + r] - 128) * (W[s][r] - 7);
  }
}""",
        generator(
            """Input<Buffer<uint8_t, 2>> I{"I"}, W{"W"};""",
            """Output<Buffer<int32_t, 2>> O{"O"};""",
            """RDom r(0, 3, 0, 3); I.dim(0).set_bounds(0, 40);
            O(x, y) += (cast<int32_t>(I(x + r.x, y + r.y)) - 128)
                * (cast<int32_t>(W(r.x, r.y)) - 7);""",
        ),
        (32, 8),
    ),
}
