// A blur: levels of memory declared, and written out.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Gaussian : public Generator<Gaussian> {
public:
    GeneratorParam<bool> declared{"declared", true};
    GeneratorParam<int> rate{"rate", 1};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        Var x("x"), y("y"), x0("x0"), y0("y0"), x1("x1"), y1("y1");
        Func hw_input("hw_input"), sum("sum"), blur("blur"), hw_output("hw_output");
        RDom r(0, 3, 0, 3, "r");
        hw_input(x, y) = u16(input(x, y));
        sum(x, y) = u16(0);
        sum(x, y) += hw_input(x + r.x, y + r.y);
        blur(x, y) = sum(x, y) / 9;
        hw_output(x, y) = blur(x, y);
        output(x, y) = u8(hw_output(x, y));

        if (declared) {
            hw_output.output_rate(rate).iteration_order({IterLevel("MEM", {{x, 8}, {y, 6}}),
                                                         IterLevel("GLB", {{x, 2}, {y, 1}}),
                                                         IterLevel("host", {{x, 2}, {y, 2}})});
            LoopLevel mem = hw_output.get_looplevel("MEM", x0), glb = hw_output.get_looplevel("GLB", x0);
            hw_output.get_memory_level("GLB").hw_accelerate(x1, x0);
            hw_output.create_memories({blur, sum}, mem);
            hw_input.output_rate(rate).stream_to_accelerator({"MEM", "GLB", "host"},
                                                             {mem, glb, LoopLevel::root()});
        } else {
            Func glb = hw_output.in(), host = glb.in();
            host.compute_root().bound(x, 0, 32).bound(y, 0, 12).reorder(x, y);
            glb.compute_root().tile(x, y, x0, y0, x1, y1, 16, 6).store_in(MemoryType::GLB);
            glb.hw_accelerate(x1, x0);
            hw_output.compute_at(glb, x0).tile(x, y, x0, y0, x1, y1, 8, 6);
            blur.compute_at(hw_output, x0);
            sum.compute_at(hw_output, x0);
            sum.update().unroll(r.x).unroll(r.y);
            hw_input.compute_root().accelerator_input();
            hw_input.in().compute_at(glb, x0).store_in(MemoryType::GLB);
            hw_input.in().in().compute_at(hw_output, x0);
            if (rate > 1) {
                for (Func f : {blur, sum, hw_input.in(), hw_input.in().in(), host}) {
                    f.unroll(x, rate, TailStrategy::RoundUp);
                }
                sum.update().unroll(x, rate, TailStrategy::RoundUp);
                hw_output.unroll(x1, rate, TailStrategy::RoundUp);
                glb.unroll(x1, rate, TailStrategy::RoundUp);
            }
        }
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Gaussian, gaussian)
