// One picture over another, as a mask says; the mask is softened first.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class ImageBlend : public Generator<ImageBlend> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};

    Input<Buffer<uint8_t, 3>> above{"above"};
    Input<Buffer<uint8_t, 3>> below{"below"};
    Input<Buffer<uint8_t, 2>> mask{"mask"};
    Input<uint8_t> opacity{"opacity", 255};
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        Func edge = BoundaryConditions::repeat_edge(mask);
        across(x, y) = u16(edge(x - 1, y)) + 2 * u16(edge(x, y)) + u16(edge(x + 1, y));
        soft(x, y) = u8((across(x, y - 1) + 2 * across(x, y) + across(x, y + 1) + 8) / 16);
        alpha(x, y) = u8((u16(soft(x, y)) * u16(opacity) + 127) / 255);
        output(x, y, c) = lerp(below(x, y, c), above(x, y, c), alpha(x, y));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        output.split(y, yo, yi, 16).reorder(x, c, yi, yo).parallel(yo).vectorize(x, 16)
            .bound(c, 0, 3).unroll(c);
        alpha.compute_at(output, yi).vectorize(x, 16);
        across.store_at(output, yo).compute_at(output, yi).vectorize(x, 16).fold_storage(y, 4);
    }

private:
    Var x{"x"}, y{"y"}, c{"c"}, yo{"yo"}, yi{"yi"};
    Func across{"across"}, soft{"soft"}, alpha{"alpha"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ImageBlend, image_blend)
