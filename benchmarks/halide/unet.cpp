// Layers of a U-shaped network: a convolution on the way down, pooling, and the way up again.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class UnetConvolution : public Generator<UnetConvolution> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};
    GeneratorParam<int> channels{"channels", 4};

    Input<Buffer<uint16_t, 3>> input{"input"};      // x, y, channel
    Input<Buffer<uint16_t, 4>> weights{"weights"};  // x, y, channel, output channel
    Output<Buffer<uint16_t, 3>> output{"output"};   // x, y, output channel

    void generate() {
        r = RDom(0, 3, 0, 3, 0, channels, "r");
        sum(x, y, k) = u16(0);
        sum(x, y, k) += weights(r.x, r.y, r.z, k) * input(x + r.x, y + r.y, r.z);
        output(x, y, k) = min(sum(x, y, k), u16(4095));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        output.parallel(k).split(y, yo, yi, 4).vectorize(x, 16);
        sum.compute_at(output, yo).vectorize(x, 16, TailStrategy::GuardWithIf);
        sum.update().reorder(x, r.x, r.y, y, r.z).vectorize(x, 16).unroll(r.x);
    }

private:
    Var x{"x"}, y{"y"}, k{"k"}, yo{"yo"}, yi{"yi"};
    RDom r;
    Func sum{"sum"};
};

class UnetDown : public Generator<UnetDown> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};

    Input<Buffer<uint16_t, 3>> input{"input"};
    Output<Buffer<uint16_t, 3>> output{"output"};

    void generate() {
        output(x, y, k) = maximum(input(2 * x + r.x, 2 * y + r.y, k), "greatest");
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        output.fuse(y, k, rows).parallel(rows).vectorize(x, 8);
    }

private:
    Var x{"x"}, y{"y"}, k{"k"}, rows{"rows"};
    RDom r{0, 2, 0, 2, "r"};
};

class UnetUp : public Generator<UnetUp> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};
    GeneratorParam<int> channels{"channels", 4};

    Input<Buffer<uint16_t, 3>> input{"input"};
    Input<Buffer<uint16_t, 3>> skipped{"skipped"};
    Output<Buffer<uint16_t, 3>> output{"output"};  // skipped channels, then those of input

    void generate() {
        twice(x, y, k) = input(x / 2, y / 2, k);
        output(x, y, k) = select(k < channels, skipped(x, y, clamp(k, 0, channels - 1)),
                                 twice(x, y, clamp(k - channels, 0, channels - 1)));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        output.parallel(y).vectorize(x, 8);
    }

private:
    Var x{"x"}, y{"y"}, k{"k"};
    Func twice{"twice"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(UnetConvolution, unet_convolution)
HALIDE_REGISTER_GENERATOR(UnetDown, unet_down)
HALIDE_REGISTER_GENERATOR(UnetUp, unet_up)
