// pools: maximum over 3 x 3, stride 2 x 2, of 7 x 9 x 16 (6 of them); stays
// generator: pool; sizes: out=16x4x3x3x2
#include "Halide.h"
using namespace Halide;
class Pool : public Generator<Pool> {
public:
    Input<Buffer<float16_t>> in{"in", 5};
    Output<Buffer<float16_t>> out{"out", 5};
    void generate() {
        Var c0{"c0"}, x{"x"}, y{"y"}, c1{"c1"}, n{"n"};
        RDom r(0, 3, 0, 3);
        out(c0, x, y, c1, n) = maximum(in(c0, x * 2 + r.x, y * 2 + r.y, c1, n));
    }
};
HALIDE_REGISTER_GENERATOR(Pool, pool)
