#include "Halide.h"
using namespace Halide;
class G : public Generator<G> {
public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<int32_t, 2>> output{"output"};
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"};
    Func f{"f"}, g{"g"};
    void generate() {
        Expr read = cast<int32_t>(input(x, y));
        BODY
    }
};
HALIDE_REGISTER_GENERATOR(G, g)
