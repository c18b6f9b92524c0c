// A copy in the global buffer whose words all wait equally long: each is read in the order it came.
#include "Halide.h"

using namespace Halide;

class Waiting : public Generator<Waiting> {
public:
    Input<Buffer<int16_t, 3>> input{"input"};
    Output<Buffer<int16_t, 2>> output{"output"};

    void generate() {
        Var x("x"), y("y"), z("z"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
        Func hw_input("hw_input"), more("more"), sum("sum"), hw_output("hw_output");
        RDom r(0, 4);
        hw_input(x, y, z) = input(x, y, z);
        more(x, y, z) = hw_input(x, y, z) + cast<int16_t>(1);
        sum(x, y) = cast<int16_t>(0);
        sum(x, y) += more(x, y, r);
        hw_output(x, y) = sum(x, y);
        output(x, y) = hw_output(x, y);
        output.bound(x, 0, 8).bound(y, 0, 4);
        hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 8, 4).hw_accelerate(xi, xo);
        sum.compute_at(hw_output, xo).update().reorder(x, r, y);
        more.compute_at(hw_output, xo);
        hw_input.in().compute_at(hw_output, xo).store_in(MemoryType::GLB);
        hw_input.compute_root().stream_to_accelerator();
    }
};

HALIDE_REGISTER_GENERATOR(Waiting, waiting)
