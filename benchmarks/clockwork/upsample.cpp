// Every pixel four times: twice as wide and twice as high.
#include "Halide.h"
#include "tiles.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Upsample : public Generator<Upsample> {
public:
    GeneratorParam<int> width{"width", 600}, height{"height", 400};  // of the array's tiles
    GeneratorParam<int> tiles_x{"tiles_x", 10}, tiles_y{"tiles_y", 10};
    GeneratorParam<int> rate{"rate", 1};
    GeneratorParam<bool> glb{"glb", true};

    Input<Buffer<uint8_t, 3>> input{"input"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        hw_input(x, y, c) = u16(input(x, y, c));
        nearest(x, y, c) = hw_input(x / 2, y / 2, c);
        hw_output(x, y, c) = nearest(x, y, c);
        output(x, y, c) = u8(hw_output(x, y, c));
    }

    void schedule() {
        output.bound(x, 0, int(width) * tiles_x).bound(y, 0, int(height) * tiles_y);
        Tiles tiles(x, y, width, height, rate, glb);
        output.bound(c, 0, 3);
        tiles.accelerate(hw_output, c, 3);
        tiles.buffer({nearest});
        nearest.bound(c, 0, 3).reorder(c, x, y).unroll(c);
        tiles.stream(hw_input, c, 3);
    }

private:
    Var x{"x"}, y{"y"}, c{"c"};
    Func hw_input{"hw_input"}, nearest{"nearest"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Upsample, upsample)
