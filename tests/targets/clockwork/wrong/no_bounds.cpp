// The loops have as many iterations as the caller asks for.
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
        hw_output.compute_root().split(y, yo, yi, 16).reorder(x, yi, yo).hw_accelerate(yi, yo);
        blur.compute_at(hw_output, yo);
        hw_input.compute_root().stream_to_accelerator();
    }
};

HALIDE_REGISTER_GENERATOR(Blur, blur)
