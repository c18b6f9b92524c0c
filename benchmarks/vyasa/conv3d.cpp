// A filter over a volume of one channel.
#include "Halide.h"
using namespace Halide;

class Conv3d : public Generator<Conv3d> {
public:
    GeneratorParam<int> R{"R", 3}, S{"S", 3}, T{"T", 3};
    Input<Buffer<void, 3>> I{"I"}, W{"W"};
    Output<Buffer<void, 3>> O{"O"};
    void generate() {
        Var x("x"), y("y"), z("z");
        RDom r(0, R, 0, S, 0, T, "r");
        Func sum("sum");
        sum(x, y, z) += cast<int64_t>(W(r.x, r.y, r.z)) * I(x + r.x, y + r.y, z + r.z);
        O(x, y, z) = cast(O.type(), sum(x, y, z) >> 10);
    }
};
HALIDE_REGISTER_GENERATOR(Conv3d, conv3d)
