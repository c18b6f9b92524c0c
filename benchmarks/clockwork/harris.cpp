// Corners of a picture in colour: products of gradients, summed over 3x3 windows, and the maxima of
// their response. `recompute`: all but the input, all but the sums, or nothing is computed anew; what
// is computed anew is spelled out, so that a pixel takes one cycle.
#include "Halide.h"
#include "tiles.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Harris : public Generator<Harris> {
public:
    GeneratorParam<int> width{"width", 296}, height{"height", 319};  // of the array's tiles
    GeneratorParam<int> tiles_x{"tiles_x", 5}, tiles_y{"tiles_y", 8};
    GeneratorParam<int> rate{"rate", 4};
    GeneratorParam<bool> glb{"glb", true};
    GeneratorParam<std::string> recompute{"recompute", "nothing"};  // some, all
    GeneratorParam<bool> declarative{"declarative", false};
    GeneratorParam<int> threshold{"threshold", 100};

    Input<Buffer<uint8_t, 3>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    // Values stay in 16 bits: gradients below 2^7, sums of products below 2^14.
    void generate() {
        hw_input(x, y, c) = u16(input(x, y, c));
        gray(x, y) = i16((77 * hw_input(x, y, 0) + 150 * hw_input(x, y, 1) +
                          29 * hw_input(x, y, 2)) / 256);
        sobel(x, y) = i16(mux(3 * y + x, {-1, 0, 1, -2, 0, 2, -1, 0, 1}));
        const std::string again = recompute;
        if (again == "nothing") {
            sum_x(x, y) = i16(0);
            sum_x(x, y) += sobel(r.x, r.y) * gray(x + r.x, y + r.y);
            sum_y(x, y) = i16(0);
            sum_y(x, y) += sobel(r.y, r.x) * gray(x + r.x, y + r.y);
        } else {
            Expr right = gray(x + 2, y) + 2 * gray(x + 2, y + 1) + gray(x + 2, y + 2);
            Expr left = gray(x, y) + 2 * gray(x, y + 1) + gray(x, y + 2);
            sum_x(x, y) = right - left;
            Expr below = gray(x, y + 2) + 2 * gray(x + 1, y + 2) + gray(x + 2, y + 2);
            Expr above = gray(x, y) + 2 * gray(x + 1, y) + gray(x + 2, y);
            sum_y(x, y) = below - above;
        }
        xx(x, y) = (sum_x(x, y) / 8) * (sum_x(x, y) / 8) / 16;
        xy(x, y) = (sum_x(x, y) / 8) * (sum_y(x, y) / 8) / 16;
        yy(x, y) = (sum_y(x, y) / 8) * (sum_y(x, y) / 8) / 16;
        add_up(sum_xx, xx, again == "all");
        add_up(sum_xy, xy, again == "all");
        add_up(sum_yy, yy, again == "all");

        Expr a = sum_xx(x, y) / 64, b = sum_xy(x, y) / 64, d = sum_yy(x, y) / 64;
        Expr trace = (a + d) / 2;
        response(x, y) = a * d - b * b - trace * trace / 4;

        Expr here = response(x + 1, y + 1);
        Expr greatest = here > threshold;
        for (int dy = 0; dy < 3; dy++) {
            for (int dx = 0; dx < 3; dx++) {
                if (dx != 1 || dy != 1) {
                    greatest = greatest && here > response(x + dx, y + dy);
                }
            }
        }
        hw_output(x, y) = select(greatest, i16(255), i16(0));
        output(x, y) = u8(hw_output(x, y));
    }

    void add_up(Func total, Func f, bool spelled) {
        if (spelled) {
            total(x, y) = f(x, y) + f(x + 1, y) + f(x + 2, y) + f(x, y + 1) + f(x + 1, y + 1) +
                          f(x + 2, y + 1) + f(x, y + 2) + f(x + 1, y + 2) + f(x + 2, y + 2);
        } else {
            total(x, y) = i16(0);
            total(x, y) += f(x + r.x, y + r.y);
        }
    }

    void schedule() {
        output.bound(x, 0, int(width) * tiles_x).bound(y, 0, int(height) * tiles_y);
        if (declarative) {
            declare_levels();
            return;
        }
        Tiles tiles(x, y, width, height, rate, glb);
        tiles.accelerate(hw_output);
        tiles.stream(hw_input, c, 3);
        const std::string again = recompute;
        if (again != "all") {
            for (Func f : {sum_xx, sum_xy, sum_yy}) {
                tiles.buffer_sum(f, r);
            }
        }
        if (again == "nothing") {
            tiles.buffer_sum(sum_x, r);
            tiles.buffer_sum(sum_y, r);
            tiles.buffer({gray, xx, xy, yy, response});
        }
    }

    void declare_levels() {
        Var x0("x0");
        hw_output.output_rate(rate).iteration_order({IterLevel("MEM", {{x, width}, {y, height}}),
                                                     IterLevel("GLB", {{x, 1}, {y, 1}}),
                                                     IterLevel("host", {{x, tiles_x}, {y, tiles_y}})});
        LoopLevel mem = hw_output.get_looplevel("MEM", x0), buffer = hw_output.get_looplevel("GLB", x0);
        hw_output.get_memory_level("GLB").hw_accelerate(Var("x1"), x0);
        hw_output.create_memories(
            {gray, sum_x, sum_y, xx, xy, yy, sum_xx, sum_xy, sum_yy, response}, mem);
        hw_input.bound(c, 0, 3).output_rate(rate).stream_to_accelerator(
            {"MEM", "GLB", "host"}, {mem, buffer, LoopLevel::root()});
        hw_input.get_memory_level("GLB").bound(c, 0, 3).reorder(c, x, y).unroll(c);
        hw_input.get_memory_level("MEM").bound(c, 0, 3).reorder(c, x, y).unroll(c);
    }

private:
    Var x{"x"}, y{"y"}, c{"c"};
    RDom r{0, 3, 0, 3, "r"};
    Func hw_input{"hw_input"}, gray{"gray"}, sobel{"sobel"}, sum_x{"sum_x"}, sum_y{"sum_y"};
    Func xx{"xx"}, xy{"xy"}, yy{"yy"}, sum_xx{"sum_xx"}, sum_xy{"sum_xy"}, sum_yy{"sum_yy"};
    Func response{"response"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Harris, harris)
