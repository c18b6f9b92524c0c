#include "Halide.h"
using namespace Halide;
class G : public Generator<G> {
public:
    Input<Buffer<int16_t, 2>> input{"input"};
    Output<Buffer<int32_t, 2>> output{"output"};
    Var x{"x"}, y{"y"};
    Func t{"t"}, small{"small"}, f{"f"}, g{"g"}, h{"h"};
    void generate() {
        t(x, y) = x * 7 - y;
        small(x, y) = cast<uint8_t>(x * 31 + y);
        t.compute_root();
        small.compute_root();
        BODY
    }
};
HALIDE_REGISTER_GENERATOR(G, g)
