// Bytes of the host become words of the array, at a boundary that the schedule only names.
#include "Halide.h"

using namespace Halide;
using namespace Halide::ConciseCasts;

class Boundary : public Generator<Boundary> {
public:
    GeneratorParam<int> variant{"variant", 0};
    Input<Buffer<uint8_t>> input{"input", 2};
    Output<Buffer<uint8_t>> output{"output", 2};

    void generate() {
        Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
        Func hw_input("hw_input"), twice("twice"), hw_output("hw_output");
        hw_input(x, y) = u16(input(x, y));
        twice(x, y) = hw_input(x, y) * 2 + hw_input(x + 1, y);
        hw_output(x, y) = twice(x, y) + twice(x, y + 1);
        output(x, y) = u8(hw_output(x, y));

        if (!get_target().has_feature(Target::Clockwork)) {
            return;
        }
        output.bound(x, 0, 16).bound(y, 0, 8);
        hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 8, 8).hw_accelerate(xi, xo);
        twice.compute_at(hw_output, xo);
        hw_input.stream_to_accelerator();
        if (variant == 0) {
            hw_output.unroll(xi, 2);
            twice.unroll(x, 2);
            hw_input.in().unroll(x, 2);
        } else {
            hw_input.compute_at(hw_output, variant == 1 ? xo : yi);
        }
    }
};

HALIDE_REGISTER_GENERATOR(Boundary, boundary)
