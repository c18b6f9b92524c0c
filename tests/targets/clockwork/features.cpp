#include "Halide.h"
using namespace Halide;

class Chosen : public Generator<Chosen> {
public:
    Input<Buffer<uint16_t>> input{"input", 2};
    Output<Buffer<uint16_t>> output{"output", 2};

    void generate() {
        Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
        Func hw_input("hw_input"), hw_output("hw_output");
        hw_input(x, y) = input(x, y);
        hw_output(x, y) = hw_input(x, y) + hw_input(x + 1, y);
        output(x, y) = hw_output(x, y);
        if (get_target().has_feature(Target::FEATURE)) {
            output.bound(x, 0, 8).bound(y, 0, 4);
            hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 8, 4).hw_accelerate(xi, xo);
            hw_input.stream_to_accelerator();
        }
    }
};
HALIDE_REGISTER_GENERATOR(Chosen, chosen)
