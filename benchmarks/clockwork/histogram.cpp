// Brightness spread evenly: a histogram, its running sum, and the picture through it.
#include "Halide.h"
#include "tiles.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Histogram : public Generator<Histogram> {
public:
    GeneratorParam<int> width{"width", 64}, height{"height", 64};  // of the picture, one tile
    GeneratorParam<int> rate{"rate", 1};
    GeneratorParam<bool> glb{"glb", true};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        r = RDom(0, width, 0, height, "r");
        up = RDom(1, 255, "up");
        hw_input(x, y) = u16(input(x, y));
        counts(v) = u16(0);
        counts(clamp(i32(hw_input(r.x, r.y)), 0, 255)) += u16(1);
        running(v) = counts(0);
        running(up) = running(up - 1) + counts(up);
        Expr level = running(clamp(i32(hw_input(x, y)), 0, 255));
        hw_output(x, y) = min(level / u16(int(width) * int(height) / 256), u16(255));
        output(x, y) = u8(hw_output(x, y));
    }

    void schedule() {
        output.bound(x, 0, width).bound(y, 0, height);
        Tiles tiles(x, y, width, height, rate, glb);
        tiles.accelerate(hw_output);
        counts.bound(v, 0, 256).compute_at(hw_output, tiles.xo);
        running.bound(v, 0, 256).compute_at(hw_output, tiles.xo);
        tiles.stream(hw_input);
    }

private:
    Var x{"x"}, y{"y"}, v{"v"};
    RDom r, up;
    Func hw_input{"hw_input"}, counts{"counts"}, running{"running"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Histogram, histogram)
