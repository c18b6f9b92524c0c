#include "Halide.h"
using namespace Halide;
class Filter : public Generator<Filter> {
public:
    Input<Buffer<int16_t>> in{"in", 2};
    Input<Buffer<int16_t>> taps{"taps", 2};
    Output<Buffer<int16_t>> out{"out", 2};
    Var x{"x"}, y{"y"};
    void generate() {
        RDom r(0, 3, 0, 3);
        Func sum("sum");
        sum(x, y) = 0;
        sum(x, y) += cast<int32_t>(taps(r.x, r.y)) * in(x + r.x, y + r.y);
        out(x, y) = cast<int16_t>(sum(x, y) >> 6);
        sum.compute_root();
    }
};
HALIDE_REGISTER_GENERATOR(Filter, filter)
