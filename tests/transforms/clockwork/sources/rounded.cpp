// An update of two lanes over an odd width: it changes an element more than is used.
#include "Halide.h"

using namespace Halide;

class Rounded : public Generator<Rounded> {
public:
    Input<Buffer<uint16_t>> input{"input", 2};
    Output<Buffer<uint16_t>> output{"output", 2};

    void generate() {
        Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
        RDom r(0, 3);
        Func hw_input("hw_input"), total("total"), hw_output("hw_output");
        hw_input(x, y) = input(x, y);
        total(x, y) = cast<uint16_t>(1);
        total(x, y) += hw_input(x + r, y) * cast<uint16_t>(r + 1);
        hw_output(x, y) = total(x, y);
        output(x, y) = hw_output(x, y);

        if (get_target().has_feature(Target::Clockwork)) {
            output.bound(x, 0, 7).bound(y, 0, 4);
            hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 7, 4).hw_accelerate(xi, xo);
            total.compute_at(hw_output, xo);
            total.update().unroll(x, 2);
            hw_input.stream_to_accelerator();
        }
    }
};

HALIDE_REGISTER_GENERATOR(Rounded, rounded)
