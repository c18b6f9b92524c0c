// An average of neighbours under a mask, made brighter by a function of another file.
#include "Halide.h"

using namespace Halide;

Func brighten(Func in, Expr by);

class Blend : public Generator<Blend> {
public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Input<Buffer<uint8_t, 2>> mask{"mask"};
    Input<int32_t> amount{"amount", 3};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        Var x{"x"}, y{"y"};
        Func wide{"wide"};
        wide(x, y) = cast<uint8_t>((cast<uint16_t>(input(x - 1, y)) + input(x + 1, y)) / 2) & mask(x, y);
        Func bright = brighten(wide, amount);
        output(x, y) = bright(x, y);
    }
};

HALIDE_REGISTER_GENERATOR(Blend, blend)
