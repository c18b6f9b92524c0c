#include "Halide.h"
using namespace Halide;
class Conv : public Generator<Conv> {
public:
    Input<Buffer<int16_t, 2>> I{"I"}, W{"W"};
    Output<Buffer<int16_t, 2>> O{"O"};
    void generate() {
        Var x, y;
        RDom r(0, 3, 0, 3);
        Func acc;
        I.dim(0).set_bounds(0, 40);
        acc(x, y) += cast<int32_t>(I(x + r.x, y + r.y)) * W(r.x, r.y);
        O(x, y) = cast<int16_t>(acc(x, y) >> 10);
    }
};
HALIDE_REGISTER_GENERATOR(Conv, conv)

