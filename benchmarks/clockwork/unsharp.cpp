// Sharper by what a blur of 7x7 pixels takes away from the brightness.
#include "Halide.h"
#include "tiles.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Unsharp : public Generator<Unsharp> {
public:
    GeneratorParam<int> width{"width", 378}, height{"height", 319};  // of the array's tiles
    GeneratorParam<int> tiles_x{"tiles_x", 4}, tiles_y{"tiles_y", 8};
    GeneratorParam<int> rate{"rate", 3};
    GeneratorParam<bool> glb{"glb", true};

    Input<Buffer<uint8_t, 3>> input{"input"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    // Weights that sum to 256: with brightness below 256 all sums have 16 bits.
    Expr weight(Expr i, Expr j) {
        const int row[7] = {1, 1, 3, 6, 3, 1, 1};
        std::vector<Expr> weights;
        for (int k = 0; k < 49; k++) {
            weights.push_back(row[k / 7] * row[k % 7]);
        }
        return u16(mux(7 * j + i, weights));
    }

    void generate() {
        hw_input(x, y, c) = u16(input(x, y, c));
        gray(x, y) = (77 * hw_input(x, y, 0) + 150 * hw_input(x, y, 1) + 29 * hw_input(x, y, 2)) / 256;
        kernel(x, y) = weight(x, y);
        sum(x, y) = u16(0);
        sum(x, y) += kernel(r.x, r.y) * gray(x + r.x, y + r.y);
        blur(x, y) = sum(x, y) / 256;
        detail(x, y) = i16(gray(x + 3, y + 3)) - i16(blur(x, y));
        hw_output(x, y, c) = u16(clamp(i16(hw_input(x + 3, y + 3, c)) + detail(x, y), 0, 255));
        output(x, y, c) = u8(hw_output(x, y, c));
    }

    void schedule() {
        output.bound(x, 0, int(width) * tiles_x).bound(y, 0, int(height) * tiles_y);
        Tiles tiles(x, y, width, height, rate, glb);
        output.bound(c, 0, 3);
        tiles.accelerate(hw_output, c, 3);
        tiles.buffer({gray, blur, detail});
        tiles.buffer_sum(sum, r);
        tiles.stream(hw_input, c, 3);
    }

private:
    Var x{"x"}, y{"y"}, c{"c"};
    RDom r{0, 7, 0, 7, "r"};
    Func hw_input{"hw_input"}, gray{"gray"}, kernel{"kernel"}, sum{"sum"}, blur{"blur"};
    Func detail{"detail"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Unsharp, unsharp)
