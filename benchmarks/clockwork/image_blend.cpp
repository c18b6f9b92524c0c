// One picture over another, as a mask says, whose edge is softened first.
#include "Halide.h"
#include "tiles.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class ImageBlend : public Generator<ImageBlend> {
public:
    GeneratorParam<int> width{"width", 64}, height{"height", 64};  // of the array's tiles
    GeneratorParam<int> tiles_x{"tiles_x", 4}, tiles_y{"tiles_y", 4};
    GeneratorParam<int> rate{"rate", 1};
    GeneratorParam<bool> glb{"glb", true};

    Input<Buffer<uint8_t, 3>> above{"above"};
    Input<Buffer<uint8_t, 3>> below{"below"};
    Input<Buffer<uint8_t, 2>> mask{"mask"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        hw_above(x, y, c) = u16(above(x, y, c));
        hw_below(x, y, c) = u16(below(x, y, c));
        hw_mask(x, y) = u16(mask(x, y));
        kernel(x, y) = u16(mux(3 * y + x, {1, 2, 1, 2, 4, 2, 1, 2, 1}));
        sum(x, y) = u16(0);
        sum(x, y) += kernel(r.x, r.y) * hw_mask(x + r.x, y + r.y);
        alpha(x, y) = (sum(x, y) + 8) / 16;
        Expr over = alpha(x, y);
        hw_output(x, y, c) = (over * hw_above(x, y, c) + (255 - over) * hw_below(x, y, c)) / 255;
        output(x, y, c) = u8(hw_output(x, y, c));
    }

    void schedule() {
        output.bound(x, 0, int(width) * tiles_x).bound(y, 0, int(height) * tiles_y);
        Tiles tiles(x, y, width, height, rate, glb);
        output.bound(c, 0, 3);
        tiles.accelerate(hw_output, c, 3);
        tiles.buffer({alpha});
        tiles.buffer_sum(sum, r);
        tiles.stream(hw_above, c, 3);
        tiles.stream(hw_below, c, 3);
        tiles.stream(hw_mask);
    }

private:
    Var x{"x"}, y{"y"}, c{"c"};
    RDom r{0, 3, 0, 3, "r"};
    Func hw_above{"hw_above"}, hw_below{"hw_below"}, hw_mask{"hw_mask"}, kernel{"kernel"};
    Func sum{"sum"}, alpha{"alpha"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ImageBlend, image_blend)
