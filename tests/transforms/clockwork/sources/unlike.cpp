// Two filters of one form with other weights and another last operation, on one kernel.
#include "Halide.h"
using namespace Halide;
using namespace Halide::ConciseCasts;

class Unlike : public Generator<Unlike> {
public:
    Input<Buffer<uint8_t>> input{"input", 2};
    Output<Buffer<uint16_t>> output{"output", 2};

    void generate() {
        Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
        Func hw_input("hw_input"), first("first"), second("second"), hw_output("hw_output");
        hw_input(x, y) = u16(input(x, y));
        first(x, y) = hw_input(x, y) + 3 * hw_input(x + 1, y) + 5 * hw_input(x, y + 1) + 1;
        second(x, y) = 7 * first(x, y) + 3 * first(x + 1, y) + first(x, y + 1) - 2;
        hw_output(x, y) = second(x, y);
        output(x, y) = hw_output(x, y);
        output.bound(x, 0, 12).bound(y, 0, 6);
        hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 12, 6).hw_accelerate(xi, xo);
        second.compute_at(hw_output, xo).compute_share_root(y);
        first.compute_at(hw_output, xo).compute_share(second);
        hw_input.stream_to_accelerator();
    }
};
HALIDE_REGISTER_GENERATOR(Unlike, unlike)
