// A picture taken apart into bands of detail, the bands made stronger, and put together again.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class LaplacianPyramid : public Generator<LaplacianPyramid> {
public:
    static constexpr int LEVELS = 4;

    GeneratorParam<bool> scheduled{"scheduled", true};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    Func down(Func f, std::string name) {
        Func across(name + "_across"), half(name);
        across(x, y) = (f(2 * x - 1, y) + 3 * (f(2 * x, y) + f(2 * x + 1, y)) + f(2 * x + 2, y)) / 8;
        half(x, y) = (across(x, 2 * y - 1) + 3 * (across(x, 2 * y) + across(x, 2 * y + 1)) +
                      across(x, 2 * y + 2)) / 8;
        return half;
    }

    Func up(Func f, std::string name) {
        Func across(name + "_across"), twice(name);
        across(x, y) = (f((x / 2) - 1 + 2 * (x % 2), y) + 3 * f(x / 2, y)) / 4;
        twice(x, y) = (across(x, (y / 2) - 1 + 2 * (y % 2)) + 3 * across(x, y / 2)) / 4;
        return twice;
    }

    void generate() {
        Func clamped = BoundaryConditions::mirror_interior(input);
        gaussian[0] = Func("gaussian_0");
        gaussian[0](x, y) = i16(clamped(x, y));
        for (int k = 1; k < LEVELS; k++) {
            gaussian[k] = down(gaussian[k - 1], "gaussian_" + std::to_string(k));
        }
        result[LEVELS - 1] = gaussian[LEVELS - 1];
        for (int k = LEVELS - 2; k >= 0; k--) {
            std::string number = std::to_string(k);
            Func coarse = up(gaussian[k + 1], "coarse_" + number);
            detail[k] = Func("detail_" + number);
            detail[k](x, y) = gaussian[k](x, y) - coarse(x, y);
            Func below = up(result[k + 1], "below_" + number);
            result[k] = Func("result_" + number);
            result[k](x, y) = below(x, y) + detail[k](x, y) * 3 / 2;
        }
        output(x, y) = u8(clamp(result[0](x, y), 0, 255));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        output.parallel(y, 16).vectorize(x, 16);
        for (int k = 1; k < LEVELS; k++) {
            gaussian[k].compute_root().parallel(y, 8).vectorize(x, 8);
            if (k < LEVELS - 1) {
                result[k].compute_root().parallel(y, 8).vectorize(x, 8);
            }
        }
    }

private:
    Var x{"x"}, y{"y"};
    Func gaussian[LEVELS], detail[LEVELS], result[LEVELS];
};

}  // namespace

HALIDE_REGISTER_GENERATOR(LaplacianPyramid, laplacian_pyramid)
