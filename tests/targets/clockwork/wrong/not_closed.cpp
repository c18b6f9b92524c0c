// The accelerator reads what the host computes, and it is no stream.
#include "Halide.h"
using namespace Halide;

class Blur : public Generator<Blur> {
public:
    Input<Buffer<uint16_t>> input{"input", 2};
    Output<Buffer<uint16_t>> output{"output", 2};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    Func hw_input{"hw_input"}, blur{"blur"}, hw_output{"hw_output"};

    void generate() {
        hw_input(x, y) = input(x, y);
        blur(x, y) = hw_input(x, y) + hw_input(x + 1, y);
        hw_output(x, y) = blur(x, y);
        output(x, y) = hw_output(x, y);
    }

    void schedule() {
        output.bound(x, 0, 32).bound(y, 0, 16);
        hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 32, 16).hw_accelerate(xi, xo);
        blur.compute_root();
        hw_input.compute_root().stream_to_accelerator();
    }
};

HALIDE_REGISTER_GENERATOR(Blur, blur)
