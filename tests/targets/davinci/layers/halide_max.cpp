// pools: maximum over 3 x 3, stride 2 x 2, of 17 x 19 x 16
// generator: halide_max; sizes: y=9x8x16
#include "Halide.h"
using namespace Halide;

class HalideMax : public Generator<HalideMax> {
public:
    Input<Buffer<float>> x{"x", 3};
    Output<Buffer<float>> y{"y", 3};

    void generate()
    {
        Var i("i"), j("j"), c("c");
        RDom r(0, 3, 0, 3);
        y(j, i, c) = maximum(x(2 * j + r.x, 2 * i + r.y, c));
    }
};
HALIDE_REGISTER_GENERATOR(HalideMax, halide_max)
