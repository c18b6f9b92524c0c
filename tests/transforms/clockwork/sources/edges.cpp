// What is beyond a picture's edge is made on the array.
#include "Halide.h"

using namespace Halide;

class Edges : public Generator<Edges> {
public:
    GeneratorParam<int> variant{"variant", 0};
    Input<Buffer<uint16_t>> input{"input", 2};
    Output<Buffer<uint16_t>> output{"output", 2};

    void generate() {
        Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
        Func hw_input("hw_input"), padded("padded"), hw_output("hw_output");
        hw_input(x, y) = input(x, y);
        Halide::Region picture{{0, 16}, {0, 8}};
        if (variant == 0) {
            padded = BoundaryConditions::repeat_edge(hw_input, picture);
        } else if (variant == 1) {
            padded = BoundaryConditions::mirror_image(hw_input, picture);
        } else {
            padded = BoundaryConditions::constant_exterior(hw_input, cast<uint16_t>(7), picture);
        }
        hw_output(x, y) = padded(x - 1, y) + padded(x + 1, y + 1);
        output(x, y) = hw_output(x, y);

        if (get_target().has_feature(Target::Clockwork)) {
            output.bound(x, 0, 16).bound(y, 0, 8);
            hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 16, 8).hw_accelerate(xi, xo);
            padded.compute_at(hw_output, xo);
            hw_input.stream_to_accelerator();
        }
    }
};

HALIDE_REGISTER_GENERATOR(Edges, edges)
