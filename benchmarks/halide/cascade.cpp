// Two 3x3 convolutions, one after the other, with weights that sum to 16; four schedules, from
// nothing but tiles to tiles in parallel with vectors of 16.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Cascade : public Generator<Cascade> {
public:
    GeneratorParam<int> version{"version", 4, 1, 4};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        kernel(x, y) = 0;
        kernel(0, 0) = 1;
        kernel(0, 1) = 2;
        kernel(0, 2) = 1;
        kernel(1, 0) = 2;
        kernel(1, 1) = 4;
        kernel(1, 2) = 2;
        kernel(2, 0) = 1;
        kernel(2, 1) = 2;
        kernel(2, 2) = 1;

        hw_input(x, y) = u16(input(x, y));

        conv1(x, y) = u16(0);
        conv1(x, y) += u16(kernel(r.x, r.y)) * hw_input(x + r.x, y + r.y);
        conv1_norm(x, y) = conv1(x, y) / 16;

        conv2(x, y) = u16(0);
        conv2(x, y) += u16(kernel(r2.x, r2.y)) * conv1_norm(x + r2.x, y + r2.y);
        conv2_norm(x, y) = conv2(x, y) / 16;

        hw_output(x, y) = conv2_norm(x, y);
        output(x, y) = cast<uint8_t>(hw_output(x, y));
    }

    void schedule() {
        const int vec = 16;
        output.tile(x, y, xo, yo, xi, yi, 512, 32);
        if (version >= 2) {
            conv1_norm.store_at(output, xo).compute_at(output, xo);
            kernel.store_at(output, xo).compute_at(output, xo);
        }
        if (version >= 3) {
            conv1.update().unroll(r.x).unroll(r.y);
            conv2.update().unroll(r2.x).unroll(r2.y);
        }
        if (version >= 4) {
            output.vectorize(xi, vec).parallel(yo);
            conv1_norm.vectorize(x, vec);
        }
    }

private:
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    RDom r{0, 3, 0, 3, "r"}, r2{0, 3, 0, 3, "r2"};
    Func kernel{"kernel"}, hw_input{"hw_input"};
    Func conv1{"conv1"}, conv1_norm{"conv1_norm"};
    Func conv2{"conv2"}, conv2_norm{"conv2_norm"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Cascade, cascade)
