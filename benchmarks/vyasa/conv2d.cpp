// A filter over an image of one channel; --param bits=32 for 32-bit pixels.
#include "Halide.h"
using namespace Halide;

class Conv2d : public Generator<Conv2d> {
public:
    GeneratorParam<int> bits{"bits", 16}, columns{"columns", 3}, rows{"rows", 3};
    Input<Buffer<void, 2>> I{"I"}, W{"W"};
    Output<Buffer<void, 2>> O{"O"};
    void generate() {
        RDom r(0, columns, 0, rows, "r");
        sum(x, y) += cast<int64_t>(W(r.x, r.y)) * I(x + r.x, y + r.y);
        O(x, y) = cast(Int(bits), sum(x, y) >> 10);
    }
private:
    Var x{"x"}, y{"y"};
    Func sum{"sum"};
};
HALIDE_REGISTER_GENERATOR(Conv2d, conv2d)
