// Averages of pixels whose neighbourhoods look alike.
#include "Halide.h"
#include "tiles.h"

#include <cmath>

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Nlmeans : public Generator<Nlmeans> {
public:
    GeneratorParam<int> width{"width", 62}, height{"height", 62};  // of the array's tiles
    GeneratorParam<int> tiles_x{"tiles_x", 4}, tiles_y{"tiles_y", 4};
    GeneratorParam<int> rate{"rate", 1};
    GeneratorParam<bool> glb{"glb", true};
    GeneratorParam<int> search{"search", 3}, patch{"patch", 3};  // odd

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    // Weights below 8 keep a sum over 25 neighbours in 16 bits; a table divides by their sum.
    void generate() {
        const int s = search, p = patch;
        weights = Buffer<uint16_t>(64, "weights");
        for (int i = 0; i < 64; i++) {
            weights(i) = uint16_t(8 * std::exp(-i / 8.0) + 0.5);
        }
        reciprocals = Buffer<uint16_t>(8 * s * s + 1, "reciprocals");
        for (int i = 0; i <= 8 * s * s; i++) {
            reciprocals(i) = uint16_t(i < 2 ? 65535 : 65536 / i);
        }
        window = RDom(0, p, 0, p, "window");
        hw_input(x, y) = u16(input(x, y));
        Expr total = u16(0), norm = u16(0);
        const int middle = s / 2;
        for (int dy = 0; dy < s; dy++) {
            for (int dx = 0; dx < s; dx++) {
                const std::string number = std::to_string(dy * s + dx);
                Func square("square_" + number), distance("distance_" + number), weight("weight_" + number);
                Expr apart = absd(hw_input(x + middle, y + middle), hw_input(x + dx, y + dy));
                square(x, y) = apart * apart / 64;
                distance(x, y) = u16(0);
                distance(x, y) += square(x + window.x, y + window.y);
                weight(x, y) = weights(i32(min(distance(x, y) / 16, u16(63))));
                sums.push_back(distance);
                others.push_back(square);
                others.push_back(weight);
                total += weight(x, y) * hw_input(x + p / 2 + dx, y + p / 2 + dy);
                norm += weight(x, y);
            }
        }
        above(x, y) = total;
        below(x, y) = norm;
        Expr reciprocal = reciprocals(clamp(i32(below(x, y)), 0, 8 * s * s));
        hw_output(x, y) = u16(u32(above(x, y)) * u32(reciprocal) >> 16);
        output(x, y) = u8(hw_output(x, y));
    }

    void schedule() {
        output.bound(x, 0, int(width) * tiles_x).bound(y, 0, int(height) * tiles_y);
        Tiles tiles(x, y, width, height, rate, glb);
        tiles.accelerate(hw_output);
        tiles.buffer({above, below});
        tiles.buffer(others);
        for (Func f : sums) {
            tiles.buffer_sum(f, window);
        }
        tiles.stream(hw_input);
    }

private:
    Var x{"x"}, y{"y"};
    RDom window;
    Buffer<uint16_t> weights, reciprocals;
    std::vector<Func> sums, others;
    Func hw_input{"hw_input"}, above{"above"}, below{"below"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Nlmeans, nlmeans)
