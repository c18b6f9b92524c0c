// A filter over an image of one channel.
#include "Halide.h"
using namespace Halide;

class Conv2d : public Generator<Conv2d> {
public:
    GeneratorParam<int> R{"R", 3}, S{"S", 3};
    Input<Buffer<void, 2>> I{"I"}, W{"W"};
    Output<Buffer<void, 2>> O{"O"};
    void generate() {
        Var x("x"), y("y");
        RDom r(0, R, 0, S, "r");
        Func sum("sum");
        sum(x, y) += cast<int64_t>(W(r.x, r.y)) * I(x + r.x, y + r.y);
        O(x, y) = cast(O.type(), sum(x, y) >> 10);
    }
};
HALIDE_REGISTER_GENERATOR(Conv2d, conv2d)
