// A Func of several values at each end of the array, all loops of which a run has, and one with a
// value that nobody loads.
#include "Halide.h"
using namespace Halide;

class Components : public Generator<Components> {
public:
    Input<Buffer<int16_t, 2>> real{"real"};
    Input<Buffer<uint8_t, 2>> mask{"mask"};
    Output<Buffer<int32_t, 2>> sums{"sums"};
    Output<Buffer<int8_t, 2>> signs{"signs"};

    void generate() {
        Var x("x"), y("y");
        Func pairs("pairs"), below("below"), both("both");
        pairs(x, y) = Tuple(real(x, y), mask(x, y));
        below(x, y) = Tuple(pairs(x, y + 1)[0], pairs(x, y + 1)[1] / 2);
        Expr sum = cast<int32_t>(pairs(x, y)[0]) * pairs(x + 1, y)[1] - below(x, y)[0];
        both(x, y) = Tuple(sum, select(sum < 0, cast<int8_t>(-1), cast<int8_t>(1)));
        sums(x, y) = both(x, y)[0];
        signs(x, y) = both(x, y)[1];
        sums.bound(x, 0, 6).bound(y, 0, 3);
        signs.bound(x, 0, 6).bound(y, 0, 3);
        both.bound(x, 0, 6).bound(y, 0, 3);
        both.compute_root().hw_accelerate(x, Var::outermost());
        below.compute_at(both, Var::outermost());
        pairs.compute_root().stream_to_accelerator();
    }
};
HALIDE_REGISTER_GENERATOR(Components, components)
