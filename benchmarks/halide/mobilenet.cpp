// A separable layer: each channel with 3x3 weights of its own, then sums over channels.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Mobilenet : public Generator<Mobilenet> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};
    GeneratorParam<int> channels{"channels", 8};

    Input<Buffer<uint8_t, 3>> input{"input"};          // channel, x, y
    Input<Buffer<int8_t, 3>> depth_weights{"depth_weights"};  // channel, x, y
    Input<Buffer<int8_t, 2>> point_weights{"point_weights"};  // output channel, channel
    Output<Buffer<uint8_t, 3>> output{"output"};       // channel, x, y

    void generate() {
        c = RDom(0, channels, "c");
        depth(k, x, y) = 0;
        depth(k, x, y) += i32(depth_weights(k, r.x, r.y)) * i32(input(k, x + r.x, y + r.y));
        middle(k, x, y) = u8_sat(depth(k, x, y) >> 5);
        point(k, x, y) = 0;
        point(k, x, y) += i32(point_weights(k, c)) * i32(middle(c, x, y));
        output(k, x, y) = u8_sat(rounding_shift_right(point(k, x, y), 6));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        output.parallel(y).vectorize(k, 8);
        middle.compute_at(output, y).vectorize(k, 8);
        depth.update().unroll(r.x).unroll(r.y);
        point.compute_at(output, x).vectorize(k, 8);
        point.update().reorder(k, c).vectorize(k, 8);
    }

private:
    Var k{"k"}, x{"x"}, y{"y"};
    RDom c, r{0, 3, 0, 3, "r"};
    Func depth{"depth"}, middle{"middle"}, point{"point"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Mobilenet, mobilenet)
