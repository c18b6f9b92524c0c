// Each element twice in each direction: the stream brings it once.
#include "Halide.h"

using namespace Halide;

class Enlarged : public Generator<Enlarged> {
public:
    Input<Buffer<uint16_t>> input{"input", 2};
    Output<Buffer<uint16_t>> output{"output", 2};

    void generate() {
        Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
        Func hw_input("hw_input"), nearest("nearest"), hw_output("hw_output");
        hw_input(x, y) = input(x, y);
        nearest(x, y) = hw_input(x / 2, y / 2);
        hw_output(x, y) = nearest(x, y);
        output(x, y) = hw_output(x, y);

        if (get_target().has_feature(Target::Clockwork)) {
            output.bound(x, 0, 16).bound(y, 0, 8);
            hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 16, 8).hw_accelerate(xi, xo);
            nearest.compute_at(hw_output, xo);
            hw_input.stream_to_accelerator();
        }
    }
};

HALIDE_REGISTER_GENERATOR(Enlarged, enlarged)
