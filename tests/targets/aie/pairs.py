"""The same computations in C and in Halide-like C++."""

from pathlib import Path

_PROGRAMS = Path(__file__).parent / "pairs"


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
        (_PROGRAMS / "a_filter_and_a_rectifier.c").read_text(),
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
        (_PROGRAMS / "a_layer_with_a_bias_saturated.c").read_text(),
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
        (_PROGRAMS / "strides_and_dilation.c").read_text(),
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
        (_PROGRAMS / "a_product_of_matrices_of_mixed_widths.c").read_text(),
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
        (_PROGRAMS / "a_sum_in_one_expression.c").read_text(),
        generator(
            """Input<Buffer<int16_t, 2>> I{"I"}; Input<Buffer<int16_t, 1>> W{"W"};""",
            OUT,
            """RDom r(0, 4); I.dim(0).set_bounds(0, 72);
            O(x, y) = cast<int16_t>((sum(cast<int32_t>(I(x + r, y)) * W(r)) + 64) >> 7);""",
        ),
        (64, 2),
    ),
    "a border of zeros": (
        (_PROGRAMS / "a_border_of_zeros.c").read_text(),
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
        (_PROGRAMS / "zero_points.c").read_text(),
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
