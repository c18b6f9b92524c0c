// Levels of a pyramid, each the blurred one before at half its size; the last is the output.
#include "Halide.h"

#include <vector>

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class GaussianPyramid : public Generator<GaussianPyramid> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};
    GeneratorParam<int> levels{"levels", 3, 2, 6};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        pyramid.resize(levels);
        pyramid[0] = Func("level_0");
        pyramid[0](x, y) = u16(input(x, y));
        for (int k = 1; k < levels; k++) {
            pyramid[k] = Func("level_" + std::to_string(k));
            pyramid[k](x, y) = u16(0);
            pyramid[k](x, y) += pyramid[k - 1](2 * x + r.x, 2 * y + r.y);
            Func scaled("scaled_" + std::to_string(k));
            scaled(x, y) = pyramid[k](x, y) / 4;
            sums.push_back(pyramid[k]);
            pyramid[k] = scaled;
        }
        output(x, y) = u8(pyramid[levels - 1](x, y));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        for (int k = 1; k < levels; k++) {
            Func sum = sums[k - 1];
            sum.update().unroll(r.x).unroll(r.y);
            if (k < levels - 1) {
                pyramid[k].compute_root().parallel(y, 8).vectorize(x, 8);
            }
        }
        output.parallel(y, 8).vectorize(x, 8);
    }

private:
    Var x{"x"}, y{"y"};
    RDom r{0, 2, 0, 2, "r"};
    std::vector<Func> pyramid, sums;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(GaussianPyramid, gaussian_pyramid)
