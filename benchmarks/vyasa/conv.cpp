// A layer of a network: channels of the input, filters of the output.
#include "Halide.h"
using namespace Halide;

class Conv : public Generator<Conv> {
public:
    GeneratorParam<int> R{"R", 3}, S{"S", 3}, C{"C", 8};
    Input<Buffer<void, 3>> I{"I"};
    Input<Buffer<void, 4>> W{"W"};
    Output<Buffer<void, 3>> O{"O"};
    void generate() {
        Var x("x"), y("y"), k("k");
        RDom r(0, R, 0, S, 0, C, "r");
        Func sum("sum");
        sum(x, y, k) += cast<int64_t>(W(r.x, r.y, r.z, k)) * I(x + r.x, y + r.y, r.z);
        O(x, y, k) = cast(O.type(), sum(x, y, k) >> 10);
    }
};
HALIDE_REGISTER_GENERATOR(Conv, conv)
