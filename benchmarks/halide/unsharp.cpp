// Sharper by what a blur of the brightness takes away.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Unsharp : public Generator<Unsharp> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};

    Input<Buffer<uint8_t, 3>> input{"input"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        repeated = BoundaryConditions::repeat_edge(input);
        gray(x, y) = (77 * u16(repeated(x, y, 0)) + 150 * u16(repeated(x, y, 1)) +
                      29 * u16(repeated(x, y, 2))) >> 8;
        blur_y(x, y) = (gray(x, y - 2) + 4 * gray(x, y - 1) + 6 * gray(x, y) +
                        4 * gray(x, y + 1) + gray(x, y + 2)) / 16;
        blur_x(x, y) = (blur_y(x - 2, y) + 4 * blur_y(x - 1, y) + 6 * blur_y(x, y) +
                        4 * blur_y(x + 1, y) + blur_y(x + 2, y)) / 16;
        sharpened(x, y) = 2 * i16(gray(x, y)) - i16(blur_x(x, y));
        ratio(x, y) = cast<float>(sharpened(x, y)) / cast<float>(max(gray(x, y), u16(1)));
        output(x, y, c) = u8(clamp(ratio(x, y) * cast<float>(repeated(x, y, c)), 0.0f, 255.0f));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        output.split(y, yo, yi, 32).reorder(x, c, yi, yo).parallel(yo).vectorize(x, 8)
            .bound(c, 0, 3).unroll(c);
        ratio.compute_at(output, yi).vectorize(x, 8);
        gray.store_at(output, yo).compute_at(output, yi).vectorize(x, 8);
        blur_y.compute_at(output, yi).vectorize(x, 16);
    }

private:
    Var x{"x"}, y{"y"}, c{"c"}, yo{"yo"}, yi{"yi"};
    Func repeated, gray{"gray"}, blur_y{"blur_y"}, blur_x{"blur_x"}, sharpened{"sharpened"};
    Func ratio{"ratio"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Unsharp, unsharp)
