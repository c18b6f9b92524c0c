// Two exposures of one scene: each pixel weighted by how well it is exposed, blended by bands.
#include "Halide.h"
#include "tiles.h"

#include <cmath>

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class ExposureFusion : public Generator<ExposureFusion> {
public:
    GeneratorParam<int> width{"width", 64}, height{"height", 64};  // of the array's tiles
    GeneratorParam<int> tiles_x{"tiles_x", 4}, tiles_y{"tiles_y", 4};
    GeneratorParam<int> rate{"rate", 1};
    GeneratorParam<bool> glb{"glb", true};
    GeneratorParam<int> levels{"levels", 3, 2, 6};

    Input<Buffer<uint8_t, 2>> dark{"dark"};
    Input<Buffer<uint8_t, 2>> bright{"bright"};
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

    // Shares are in 64ths; tables weigh and divide.
    void generate() {
        weights = Buffer<int16_t>(256, "weights");
        for (int i = 0; i < 256; i++) {
            const double away = i / 255.0 - 0.5;
            weights(i) = int16_t(62 * std::exp(-12.5 * away * away) + 1.5);
        }
        reciprocals = Buffer<int16_t>(128, "reciprocals");
        for (int i = 0; i < 128; i++) {
            reciprocals(i) = int16_t(4096 / (i < 1 ? 1 : i));
        }
        first(x, y) = i16(dark(x, y));
        second(x, y) = i16(bright(x, y));
        a(x, y) = weights(clamp(i32(first(x, y)), 0, 255));
        b(x, y) = weights(clamp(i32(second(x, y)), 0, 255));
        share(x, y) = a(x, y) * reciprocals(clamp(i32(a(x, y) + b(x, y)), 0, 127)) / 64;
        std::vector<Func> firsts = {first}, seconds = {second}, shares = {share};
        for (int k = 1; k < levels; k++) {
            const std::string number = std::to_string(k);
            firsts.push_back(half(firsts[k - 1], "first_" + number));
            seconds.push_back(half(seconds[k - 1], "second_" + number));
            shares.push_back(half(shares[k - 1], "share_" + number));
        }
        Func sum;
        for (int k = levels - 1; k >= 0; k--) {
            const std::string number = std::to_string(k);
            Expr p = firsts[k](x, y), q = seconds[k](x, y);
            if (k < levels - 1) {
                p -= twice(firsts[k + 1], "first_up_" + number)(x, y);
                q -= twice(seconds[k + 1], "second_up_" + number)(x, y);
            }
            Expr value = (shares[k](x, y) * p + (64 - shares[k](x, y)) * q) / 64;
            if (k < levels - 1) {
                value += twice(sum, "sum_up_" + number)(x, y);
            }
            Func next("sum_" + number);
            next(x, y) = value;
            kernels.push_back(next);
            sum = next;
        }
        hw_output(x, y) = clamp(sum(x, y), i16(0), i16(255));
        output(x, y) = u8(hw_output(x, y));
    }

    void schedule() {
        output.bound(x, 0, int(width) * tiles_x).bound(y, 0, int(height) * tiles_y);
        Tiles tiles(x, y, width, height, rate, glb);
        tiles.accelerate(hw_output);
        tiles.buffer({a, b, share});
        tiles.buffer(kernels);
        tiles.stream(first);
        tiles.stream(second);
    }

private:
    Var x{"x"}, y{"y"};
    Buffer<int16_t> weights, reciprocals;
    Func first{"first"}, second{"second"}, a{"a"}, b{"b"}, share{"share"}, hw_output{"hw_output"};
    std::vector<Func> kernels;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ExposureFusion, exposure_fusion)
