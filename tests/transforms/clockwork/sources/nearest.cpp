// The place of the best match, and how good it is: tuples in a reduction.
#include "Halide.h"

using namespace Halide;
using namespace Halide::ConciseCasts;

class Nearest : public Generator<Nearest> {
public:
    Input<Buffer<uint8_t>> left{"left", 2}, right{"right", 2};
    Output<Buffer<uint8_t>> output{"output", 2};

    void generate() {
        Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
        Func hw_left("hw_left"), hw_right("hw_right"), best("best"), hw_output("hw_output");
        RDom search(0, 5);
        hw_left(x, y) = u16(left(x, y));
        hw_right(x, y) = u16(right(x, y));
        Expr difference = absd(hw_left(x, y), hw_right(x + search, y));
        best(x, y) = {u16(0), u16(65535)};
        Expr better = difference < best(x, y)[1];
        best(x, y) = {select(better, u16(search), best(x, y)[0]),
                      select(better, difference, best(x, y)[1])};
        hw_output(x, y) = best(x, y)[0] * 16 + min(best(x, y)[1], 15);
        output(x, y) = u8(hw_output(x, y));

        if (get_target().has_feature(Target::Clockwork)) {
            output.bound(x, 0, 8).bound(y, 0, 4);
            hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 8, 4).hw_accelerate(xi, xo);
            best.compute_at(hw_output, xo);
            best.update().reorder(search, x, y);
            hw_left.stream_to_accelerator();
            hw_right.stream_to_accelerator();
        }
    }
};

HALIDE_REGISTER_GENERATOR(Nearest, nearest)
