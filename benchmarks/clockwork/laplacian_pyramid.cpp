// A picture taken apart into bands of detail, the bands made stronger, and put together again.
#include "Halide.h"
#include "tiles.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class LaplacianPyramid : public Generator<LaplacianPyramid> {
public:
    GeneratorParam<int> width{"width", 64}, height{"height", 64};  // of the array's tiles
    GeneratorParam<int> tiles_x{"tiles_x", 4}, tiles_y{"tiles_y", 4};
    GeneratorParam<int> rate{"rate", 1};
    GeneratorParam<bool> glb{"glb", true};
    GeneratorParam<int> levels{"levels", 3, 2, 6};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    Func half(Func f, std::string name) {
        Func made(name);
        made(x, y) = (f(2 * x, 2 * y) + f(2 * x + 1, 2 * y) + f(2 * x, 2 * y + 1) +
                      f(2 * x + 1, 2 * y + 1)) / 4;
        kernels.push_back(made);
        return made;
    }

    Func twice(Func f, std::string name) {
        Func made(name);
        made(x, y) = f(x / 2, y / 2);
        kernels.push_back(made);
        return made;
    }

    void generate() {
        hw_input(x, y) = i16(input(x, y));
        std::vector<Func> gaussian = {hw_input};
        for (int k = 1; k < levels; k++) {
            gaussian.push_back(half(gaussian[k - 1], "gaussian_" + std::to_string(k)));
        }
        Func result = gaussian[levels - 1];
        for (int k = levels - 2; k >= 0; k--) {
            const std::string number = std::to_string(k);
            Func coarse = twice(gaussian[k + 1], "coarse_" + number);
            Func detail("detail_" + number), next("result_" + number);
            detail(x, y) = gaussian[k](x, y) - coarse(x, y);
            Func below = twice(result, "below_" + number);
            next(x, y) = below(x, y) + detail(x, y) * 3 / 2;
            kernels.push_back(detail);
            kernels.push_back(next);
            result = next;
        }
        hw_output(x, y) = clamp(result(x, y), i16(0), i16(255));
        output(x, y) = u8(hw_output(x, y));
    }

    void schedule() {
        output.bound(x, 0, int(width) * tiles_x).bound(y, 0, int(height) * tiles_y);
        Tiles tiles(x, y, width, height, rate, glb);
        tiles.accelerate(hw_output);
        tiles.buffer(kernels);
        tiles.stream(hw_input);
    }

private:
    Var x{"x"}, y{"y"};
    Func hw_input{"hw_input"}, hw_output{"hw_output"};
    std::vector<Func> kernels;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(LaplacianPyramid, laplacian_pyramid)
