// A convolution over channels: levels of memory declared, and written out.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Resnet : public Generator<Resnet> {
public:
    GeneratorParam<bool> declared{"declared", true};
    GeneratorParam<int> rate{"rate", 1};

    Input<Buffer<int16_t, 3>> input{"input"};    // channel, x, y
    Input<Buffer<int16_t, 4>> weights{"weights"};  // channel, output channel, x, y
    Output<Buffer<int16_t, 3>> output{"output"};

    void generate() {
        Var x("x"), y("y"), z("z"), w("w"), x0("x0"), y0("y0"), w0("w0"), x1("x1"), y1("y1"), w1("w1");
        Func hw_input("hw_input"), hw_weights("hw_weights"), hw_output("hw_output");
        RDom r(0, 3, 0, 3, 0, 8, "r");
        hw_input(z, x, y) = input(z, x, y);
        hw_weights(z, w, x, y) = weights(z, w, x, y);
        hw_output(w, x, y) = i16(0);
        hw_output(w, x, y) += hw_weights(r.z, w, r.x, r.y) * hw_input(r.z, x + r.x, y + r.y);
        output(w, x, y) = max(hw_output(w, x, y), i16(0));

        RVar z0(r.z.name() + "0"), z1(r.z.name() + "1");
        if (declared) {
            const VarExtent channels{r.z, 4, true};
            hw_output.iteration_order({IterLevel("MEM", {channels, {w, 4, true}, {x, 6}, {y, 6},
                                                         {r.x, 3}, {r.y, 3}, {r.z, 2}}),
                                       IterLevel("GLB", {{w, 2}, {x, 2}, {y, 1}}),
                                       IterLevel("host", {{x, 1}, {y, 1}})});
            LoopLevel mem(hw_output, z0), glb = hw_output.get_looplevel("GLB", x0);
            hw_output.get_memory_level("GLB").hw_accelerate(x1, x0);
            for (Func f : {hw_input, hw_weights}) {
                f.stream_to_accelerator({"MEM", "GLB", "host"}, {mem, glb, LoopLevel::root()});
            }
        } else {
            Func glb = hw_output.in(), host = glb.in();
            host.compute_root().bound(x, 0, 12).bound(y, 0, 6).reorder(x, y);
            glb.compute_root().bound(w, 0, 8).split(x, x0, x1, 12).split(y, y0, y1, 6);
            glb.reorder(w, x1, y1, x0, y0).store_in(MemoryType::GLB).hw_accelerate(x1, x0);
            hw_output.compute_at(glb, x0);
            hw_output.update().split(r.z, z0, z1, 4).split(w, w0, w1, 4).split(x, x0, x1, 6)
                .split(y, y0, y1, 6)
                .reorder(z1, w1, x1, y1, r.x, r.y, z0, w0, x0, y0).unroll(z1).unroll(w1);
            for (Func f : {hw_input, hw_weights}) {
                f.compute_root().accelerator_input();
                f.in().compute_at(glb, x0).store_in(MemoryType::GLB);
                f.in().in().compute_at(hw_output, z0);
            }
        }
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Resnet, resnet)
