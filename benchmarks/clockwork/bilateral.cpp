// A filter that keeps edges: values summed in a coarse grid of place and brightness.
#include "Halide.h"
#include "tiles.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Bilateral : public Generator<Bilateral> {
public:
    GeneratorParam<int> width{"width", 64}, height{"height", 64};  // of the array's tiles
    GeneratorParam<int> tiles_x{"tiles_x", 4}, tiles_y{"tiles_y", 4};
    GeneratorParam<int> rate{"rate", 1};
    GeneratorParam<bool> glb{"glb", true};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    // Cells of 8x8 pixels and 16 levels, c = 0 sums of values / 16 and c = 1 counts; the blur
    // multiplies both by 64, which 16 bits hold. A table divides.
    void generate() {
        reciprocals = Buffer<uint16_t>(257, "reciprocals");
        for (int i = 0; i <= 256; i++) {
            reciprocals(i) = uint16_t(i < 2 ? 65535 : 65536 / i);
        }
        hw_input(x, y) = u16(input(x, y));
        Expr value = hw_input(8 * x + r.x, 8 * y + r.y) / 16;
        grid(x, y, z, c) = u16(0);
        grid(x, y, clamp(i32(value), 0, 15) + 1, c) += select(c == 0, value, u16(1));
        blur_z(x, y, z, c) = grid(x, y, z, c) + 2 * grid(x, y, z + 1, c) + grid(x, y, z + 2, c);
        blur_x(x, y, z, c) = blur_z(x, y, z, c) + 2 * blur_z(x + 1, y, z, c) + blur_z(x + 2, y, z, c);
        blur_y(x, y, z, c) = blur_x(x, y, z, c) + 2 * blur_x(x, y + 1, z, c) + blur_x(x, y + 2, z, c);
        Expr level = clamp(i32(hw_input(x + 8, y + 8) / 16), 0, 15);
        above(x, y) = blur_y(x / 8, y / 8, level, 0) / 16;
        below(x, y) = blur_y(x / 8, y / 8, level, 1) / 16;
        Expr reciprocal = reciprocals(clamp(i32(below(x, y)), 0, 256));
        hw_output(x, y) = min(u16(u32(above(x, y)) * u32(reciprocal) >> 12), u16(255));
        output(x, y) = u8(hw_output(x, y));
    }

    void schedule() {
        output.bound(x, 0, int(width) * tiles_x).bound(y, 0, int(height) * tiles_y);
        Tiles tiles(x, y, width, height, rate, glb);
        tiles.accelerate(hw_output);
        tiles.buffer({above, below});
        for (Func f : {grid, blur_z, blur_x, blur_y}) {
            f.bound(c, 0, 2).compute_at(hw_output, tiles.xo).reorder(c, x, y, z).unroll(c);
        }
        grid.bound(z, 0, 18);
        blur_z.bound(z, 0, 16);
        blur_x.bound(z, 0, 16);
        blur_y.bound(z, 0, 16);
        grid.update().reorder(c, r.x, r.y, x, y).unroll(c);
        tiles.stream(hw_input);
    }

private:
    Var x{"x"}, y{"y"}, z{"z"}, c{"c"};
    RDom r{0, 8, 0, 8, "r"};
    Buffer<uint16_t> reciprocals;
    Func hw_input{"hw_input"}, grid{"grid"}, blur_z{"blur_z"}, blur_x{"blur_x"}, blur_y{"blur_y"};
    Func above{"above"}, below{"below"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Bilateral, bilateral)
