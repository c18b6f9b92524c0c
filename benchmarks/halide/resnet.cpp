// A layer of a residual network: a 3x3 convolution over channels, its bias and a ramp, in 16 bits.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Resnet : public Generator<Resnet> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};
    GeneratorParam<int> channels{"channels", 8};
    GeneratorParam<int> stride{"stride", 1, 1, 2};

    Input<Buffer<int16_t, 3>> input{"input"};      // channel, x, y
    Input<Buffer<int16_t, 4>> weights{"weights"};  // output channel, input channel, x, y
    Input<Buffer<int16_t, 1>> bias{"bias"};
    Output<Buffer<int16_t, 3>> output{"output"};  // channel, x, y

    void generate() {
        r = RDom(0, channels, 0, 3, 0, 3, "r");
        convolved(k, x, y) = i32(bias(k));
        convolved(k, x, y) += i32(weights(k, r.x, r.y, r.z)) *
                              i32(input(r.x, x * stride + r.y, y * stride + r.z));
        output(k, x, y) = i16_sat(max(convolved(k, x, y) >> 6, 0));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        output.parallel(y).vectorize(k, 8);
        convolved.compute_at(output, x).vectorize(k, 8);
        convolved.update().reorder(k, r.x, r.y, r.z, x, y).vectorize(k, 8).unroll(r.y);
    }

private:
    Var k{"k"}, x{"x"}, y{"y"};
    RDom r;
    Func convolved{"convolved"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Resnet, resnet)
