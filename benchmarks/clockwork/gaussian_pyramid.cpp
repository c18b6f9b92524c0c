// Levels of a pyramid, each the one before at half its size; the last is the output. Levels may
// share one kernel.
#include "Halide.h"
#include "tiles.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class GaussianPyramid : public Generator<GaussianPyramid> {
public:
    GeneratorParam<int> width{"width", 64}, height{"height", 64};  // of the input's tiles
    GeneratorParam<int> tiles_x{"tiles_x", 1}, tiles_y{"tiles_y", 1};
    GeneratorParam<int> rate{"rate", 1};
    GeneratorParam<bool> glb{"glb", true};
    GeneratorParam<int> levels{"levels", 3, 1, 6};
    GeneratorParam<std::string> sharing{"sharing", "none"};  // pixel, line or block: after what

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        hw_input(x, y) = u16(input(x, y));
        Func last = hw_input;
        for (int k = 1; k <= levels; k++) {
            Func level("level_" + std::to_string(k));
            level(x, y) = (last(2 * x, 2 * y) + last(2 * x + 1, 2 * y) + last(2 * x, 2 * y + 1) +
                           last(2 * x + 1, 2 * y + 1)) / 4;
            pyramid.push_back(level);
            last = level;
        }
        hw_output(x, y) = last(x, y);
        output(x, y) = u8(hw_output(x, y));
    }

    void schedule() {
        const int scale = 1 << int(levels);
        const int w = width / scale, h = height / scale;
        output.bound(x, 0, w * tiles_x).bound(y, 0, h * tiles_y);
        Tiles tiles(x, y, w, h, rate, glb);
        tiles.accelerate(hw_output);
        tiles.buffer(pyramid);
        tiles.stream(hw_input);
        const std::string after = sharing;
        if (after != "none") {
            Var loop = after == "pixel" ? x : after == "line" ? y : Var::outermost();
            Func root = pyramid[levels - 1];
            root.compute_share_root(loop);
            for (int k = 0; k < levels - 1; k++) {
                pyramid[k].compute_share(root);
            }
        }
    }

private:
    Var x{"x"}, y{"y"};
    Func hw_input{"hw_input"}, hw_output{"hw_output"};
    std::vector<Func> pyramid;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(GaussianPyramid, gaussian_pyramid)
