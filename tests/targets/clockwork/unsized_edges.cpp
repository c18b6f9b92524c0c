// The host repeats the edges of a picture whose size nobody gives; the array takes what comes.
#include "Halide.h"
using namespace Halide;

class Edges : public Generator<Edges> {
public:
    Input<Buffer<uint8_t>> input{"input", 2};
    Output<Buffer<uint8_t>> output{"output", 2};

    void generate() {
        Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
        Func clamped = BoundaryConditions::repeat_edge(input);
        Func hw_input("hw_input"), sums("sums"), hw_output("hw_output");
        hw_input(x, y) = cast<uint16_t>(clamped(x - 1, y - 1));
        sums(x, y) = hw_input(x, y) + hw_input(x + 2, y) + 2 * hw_input(x + 1, y + 2);
        hw_output(x, y) = cast<uint8_t>(sums(x, y) >> 2);
        output(x, y) = hw_output(x, y);
        if (get_target().has_feature(Target::Clockwork)) {
            output.bound(x, 0, 32).bound(y, 0, 16);
            hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 32, 16).hw_accelerate(xi, xo);
            hw_input.stream_to_accelerator();
        }
    }
};
HALIDE_REGISTER_GENERATOR(Edges, edges)
