// A blur with a window of 3x3 weights that sum to 256; a schedule with copies for each level of
// memory, and the same declared by levels.
#include "Halide.h"
#include "tiles.h"

#include <cmath>

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Gaussian : public Generator<Gaussian> {
public:
    GeneratorParam<int> width{"width", 992}, height{"height", 799};  // of the array's tiles
    GeneratorParam<int> tiles_x{"tiles_x", 6}, tiles_y{"tiles_y", 5};
    GeneratorParam<int> rate{"rate", 16};
    GeneratorParam<bool> glb{"glb", true};
    GeneratorParam<bool> declarative{"declarative", false};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    // Of a Gaussian with sigma 1.5, rounded so that they sum to 256.
    Expr weight(Expr i, Expr j) {
        const double side = std::exp(-1 / 4.5);
        const double scale = 256 / ((1 + 2 * side) * (1 + 2 * side));
        const int corner = int(std::round(side * side * scale)), edge = int(std::round(side * scale));
        const int middle = 256 - 4 * (corner + edge);
        return u16(mux(3 * j + i, {corner, edge, corner, edge, middle, edge, corner, edge, corner}));
    }

    void generate() {
        hw_input(x, y) = u16(input(x, y));
        kernel(x, y) = weight(x, y);
        sum(x, y) = u16(0);
        sum(x, y) += kernel(r.x, r.y) * hw_input(x + r.x, y + r.y);
        blur(x, y) = sum(x, y) / 256;
        hw_output(x, y) = blur(x, y);
        output(x, y) = u8(hw_output(x, y));
    }

    void schedule() {
        output.bound(x, 0, int(width) * tiles_x).bound(y, 0, int(height) * tiles_y);
        if (declarative) {
            declare_levels();
            return;
        }
        Tiles tiles(x, y, width, height, rate, glb);
        tiles.accelerate(hw_output);
        tiles.buffer({blur});
        tiles.buffer_sum(sum, r);
        tiles.stream(hw_input);
    }

    void declare_levels() {
        Var x0("x0");
        hw_output.output_rate(rate).iteration_order({IterLevel("MEM", {{x, width}, {y, height}}),
                                                     IterLevel("GLB", {{x, 1}, {y, 1}}),
                                                     IterLevel("host", {{x, tiles_x}, {y, tiles_y}})});
        LoopLevel mem = hw_output.get_looplevel("MEM", x0), buffer = hw_output.get_looplevel("GLB", x0);
        hw_output.get_memory_level("GLB").hw_accelerate(Var("x1"), x0);
        hw_output.create_memories({blur, sum}, mem);
        hw_input.output_rate(rate).stream_to_accelerator({"MEM", "GLB", "host"},
                                                         {mem, buffer, LoopLevel::root()});
    }

private:
    Var x{"x"}, y{"y"};
    RDom r{0, 3, 0, 3, "r"};
    Func hw_input{"hw_input"}, kernel{"kernel"}, sum{"sum"}, blur{"blur"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Gaussian, gaussian)
