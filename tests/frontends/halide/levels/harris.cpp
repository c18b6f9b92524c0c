// Corners in colour: levels of memory declared, and written out.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Harris : public Generator<Harris> {
public:
    GeneratorParam<bool> declared{"declared", true};
    GeneratorParam<int> rate{"rate", 1};

    Input<Buffer<uint8_t, 3>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        Var x("x"), y("y"), c("c"), x0("x0"), y0("y0"), x1("x1"), y1("y1");
        Func hw_input("hw_input"), gray("gray"), dx("dx"), dy("dy"), xx("xx"), yy("yy"), xy("xy");
        Func response("response"), hw_output("hw_output");
        Func sums[3] = {Func("sum_xx"), Func("sum_yy"), Func("sum_xy")};
        RDom r(0, 3, 0, 3, "r");
        hw_input(x, y, c) = i16(input(x, y, c));
        gray(x, y) = (hw_input(x, y, 0) + hw_input(x, y, 1) + hw_input(x, y, 2)) / 3;
        dx(x, y) = gray(x + 1, y) - gray(x, y);
        dy(x, y) = gray(x, y + 1) - gray(x, y);
        xx(x, y) = dx(x, y) * dx(x, y) / 128;
        yy(x, y) = dy(x, y) * dy(x, y) / 128;
        xy(x, y) = dx(x, y) * dy(x, y) / 128;
        Func products[3] = {xx, yy, xy};
        for (int k = 0; k < 3; k++) {
            sums[k](x, y) = i16(0);
            sums[k](x, y) += products[k](x + r.x, y + r.y);
        }
        Expr a = sums[0](x, y), b = sums[1](x, y), d = sums[2](x, y);
        response(x, y) = a * b / 64 - d * d / 64;
        hw_output(x, y) = response(x, y);
        output(x, y) = u8(hw_output(x, y));

        if (declared) {
            hw_output.output_rate(rate).iteration_order({IterLevel("MEM", {{x, 12}, {y, 8}}),
                                                         IterLevel("GLB", {{x, 1}, {y, 2}}),
                                                         IterLevel("host", {{x, 3}, {y, 2}})});
            LoopLevel mem = hw_output.get_looplevel("MEM", x0), glb = hw_output.get_looplevel("GLB", x0);
            hw_output.get_memory_level("GLB").hw_accelerate(x1, x0);
            hw_output.create_memories({gray, dx, dy, xx, yy, xy, sums[0], sums[1], sums[2], response}, mem);
            hw_input.output_rate(rate).stream_to_accelerator({"MEM", "GLB", "host"},
                                                             {mem, glb, LoopLevel::root()});
            hw_input.in().get_memory_level("MEM").unroll(c);
            hw_input.get_memory_level("GLB").unroll(c);
        } else {
            Func glb = hw_output.in(), host = glb.in();
            host.compute_root().bound(x, 0, 36).bound(y, 0, 32).reorder(x, y);
            glb.compute_root().tile(x, y, x0, y0, x1, y1, 12, 16).store_in(MemoryType::GLB);
            glb.hw_accelerate(x1, x0);
            hw_output.compute_at(glb, x0).tile(x, y, x0, y0, x1, y1, 12, 8);
            for (Func f : {gray, dx, dy, xx, yy, xy, sums[0], sums[1], sums[2], response}) {
                f.compute_at(hw_output, x0).unroll(x, rate, TailStrategy::RoundUp);
            }
            for (Func f : sums) {
                f.update().unroll(r.x).unroll(r.y).unroll(x, rate, TailStrategy::RoundUp);
            }
            hw_input.compute_root().accelerator_input();
            hw_input.in().compute_at(glb, x0).store_in(MemoryType::GLB).unroll(c);
            hw_input.in().in().compute_at(hw_output, x0).unroll(c);
            for (Func f : {hw_input.in(), hw_input.in().in(), host}) {
                f.unroll(x, rate, TailStrategy::RoundUp);
            }
            hw_output.unroll(x1, rate, TailStrategy::RoundUp);
            glb.unroll(x1, rate, TailStrategy::RoundUp);
        }
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Harris, harris)
