#include "Halide.h"
using namespace Halide;
class Filter : public Generator<Filter> {
public:
    Input<Buffer<int16_t>> in{"in", 3};
    Input<Buffer<int16_t>> taps{"taps", 4};
    Output<Buffer<int32_t>> out{"out", 3};
    Var x{"x"}, y{"y"}, k{"k"};
    void generate() {
        RDom r(0, 3, 0, 3, 0, 4);
        out(x, y, k) = 0;
        out(x, y, k) += cast<int32_t>(taps(r.x, r.y, r.z, k)) * in(2 * x + r.x, y + r.y, r.z);
    }
};
HALIDE_REGISTER_GENERATOR(Filter, filter)
