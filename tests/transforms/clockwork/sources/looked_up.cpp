// How often there is each brightness, and each pixel's share: places that depend on data.
#include "Halide.h"

using namespace Halide;
using namespace Halide::ConciseCasts;

class LookedUp : public Generator<LookedUp> {
public:
    Input<Buffer<uint8_t>> input{"input", 2};
    Output<Buffer<uint8_t>> output{"output", 2};

    void generate() {
        Var x("x"), y("y"), v("v"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
        RDom r(0, 8, 0, 4);
        Func hw_input("hw_input"), level("level"), counts("counts"), hw_output("hw_output");
        hw_input(x, y) = u16(input(x, y));
        level(x, y) = min(hw_input(x, y) / 16, 9);
        counts(v) = u16(0);
        counts(clamp(i32(level(r.x, r.y)), 0, 9)) += u16(1) + (hw_input(r.x, r.y) & 1);
        Expr place = clamp(i32(level(x, y)), 0, 9);
        hw_output(x, y) = counts(place) + counts(clamp(i32(counts(place)), 0, 9)) * 3;
        output(x, y) = u8(hw_output(x, y));

        if (get_target().has_feature(Target::Clockwork)) {
            output.bound(x, 0, 8).bound(y, 0, 4);
            hw_output.compute_root().tile(x, y, xo, yo, xi, yi, 8, 4).hw_accelerate(xi, xo);
            level.compute_at(hw_output, xo);
            counts.compute_at(hw_output, xo);
            hw_input.stream_to_accelerator();
        }
    }
};

HALIDE_REGISTER_GENERATOR(LookedUp, looked_up)
