// Two 3x3 convolutions, one after the other, which may share one kernel.
#include "Halide.h"
#include "tiles.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Cascade : public Generator<Cascade> {
public:
    GeneratorParam<int> width{"width", 600}, height{"height", 799};  // of the array's tiles
    GeneratorParam<int> tiles_x{"tiles_x", 10}, tiles_y{"tiles_y", 5};
    GeneratorParam<int> rate{"rate", 12};
    GeneratorParam<bool> glb{"glb", true};
    GeneratorParam<std::string> sharing{"sharing", "none"};  // pixel, line or block: after what

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        kernel(x, y) = u16(mux(3 * y + x, {1, 2, 1, 2, 4, 2, 1, 2, 1}));
        hw_input(x, y) = u16(input(x, y));
        sum1(x, y) = u16(0);
        sum1(x, y) += kernel(r.x, r.y) * hw_input(x + r.x, y + r.y);
        conv1(x, y) = sum1(x, y) / 16;
        sum2(x, y) = u16(0);
        sum2(x, y) += kernel(r.x, r.y) * conv1(x + r.x, y + r.y);
        conv2(x, y) = sum2(x, y) / 16;
        hw_output(x, y) = conv2(x, y);
        output(x, y) = u8(hw_output(x, y));
    }

    void schedule() {
        output.bound(x, 0, int(width) * tiles_x).bound(y, 0, int(height) * tiles_y);
        Tiles tiles(x, y, width, height, rate, glb);
        tiles.accelerate(hw_output);
        tiles.buffer({conv1, conv2});
        tiles.buffer_sum(sum1, r);
        tiles.buffer_sum(sum2, r);
        tiles.stream(hw_input);
        const std::string after = sharing;
        if (after != "none") {
            Var loop = after == "pixel" ? x : after == "line" ? y : Var::outermost();
            sum2.update().compute_share_root(loop);
            sum1.update().compute_share(sum2.update());
        }
    }

private:
    Var x{"x"}, y{"y"};
    RDom r{0, 3, 0, 3, "r"};
    Func kernel{"kernel"}, hw_input{"hw_input"}, sum1{"sum1"}, conv1{"conv1"};
    Func sum2{"sum2"}, conv2{"conv2"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Cascade, cascade)
