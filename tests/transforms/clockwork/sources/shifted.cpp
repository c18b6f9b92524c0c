// Needs no element of its image's first column and first two rows.
#include "Halide.h"

using namespace Halide;

class Shifted : public Generator<Shifted> {
public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        hw_input(x, y) = cast<uint16_t>(input(x, y));
        hw_output(x, y) = hw_input(x + 1, y + 2) + hw_input(x + 2, y + 3);
        output(x, y) = cast<uint8_t>(hw_output(x, y));
    }

    void schedule() {
        Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
        output.bound(x, 0, 8).bound(y, 0, 4);
        hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 8, 4).hw_accelerate(xi, xo);
        hw_input.compute_root().stream_to_accelerator();
    }

private:
    Var x{"x"}, y{"y"};
    Func hw_input{"hw_input"}, hw_output{"hw_output"};
};

HALIDE_REGISTER_GENERATOR(Shifted, shifted)
