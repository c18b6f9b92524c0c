// A layer in which each channel has a filter of its own.
#include "Halide.h"
using namespace Halide;

class Depthwise : public Generator<Depthwise> {
public:
    GeneratorParam<int> R{"R", 3}, S{"S", 3};
    Input<Buffer<void, 3>> I{"I"}, W{"W"};
    Output<Buffer<void, 3>> O{"O"};
    void generate() {
        Var x("x"), y("y"), k("k");
        RDom r(0, R, 0, S, "r");
        Func sum("sum");
        sum(x, y, k) += cast<int64_t>(W(r.x, r.y, k)) * I(x + r.x, y + r.y, k);
        O(x, y, k) = cast(O.type(), sum(x, y, k) >> 10);
    }
};
HALIDE_REGISTER_GENERATOR(Depthwise, depthwise)
