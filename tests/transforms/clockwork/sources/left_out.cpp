// A reduction whose condition leaves its last iterations out: nobody computes what they would load.
#include "Halide.h"

using namespace Halide;

class LeftOut : public Generator<LeftOut> {
public:
    Input<Buffer<uint16_t>> input{"input", 2};
    Output<Buffer<uint16_t>> output{"output", 2};

    void generate() {
        Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
        RDom r(0, 4, 0, 2);
        r.where(r.x <= r.y && r.x + r.y < 5);
        Func hw_input("hw_input"), pair("pair"), total("total"), hw_output("hw_output");
        hw_input(x, y) = input(x, y);
        pair(x, y) = hw_input(x, y) + hw_input(x + 1, y);
        total(x, y) = cast<uint16_t>(1);
        total(x, y) += pair(2 * x + r.x, y + r.y) * cast<uint16_t>(r.x + 1);
        hw_output(x, y) = total(x, y);
        output(x, y) = hw_output(x, y);

        if (get_target().has_feature(Target::Clockwork)) {
            output.bound(x, 0, 6).bound(y, 0, 3);
            hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 6, 3).hw_accelerate(xi, xo);
            pair.compute_at(hw_output, xo);
            total.compute_at(hw_output, xo);
            hw_input.stream_to_accelerator();
        }
    }
};

HALIDE_REGISTER_GENERATOR(LeftOut, left_out)
