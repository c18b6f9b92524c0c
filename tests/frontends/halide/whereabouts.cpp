#include "Halide.h"
using namespace Halide;
class G : public Generator<G> {
public:
    Input<Buffer<bool, 2>> input{"input"};
    Output<Buffer<int32_t, 2>> output{"output"};
    Var x{"x"}, y{"y"};
    Func f{"f"}, g{"g"};
    void generate() {
        f(x, y) = cast<int32_t>(input(x, y));
        g(x, y) = FIRST + 1;
        g(x, y) += f(x, y) + SECOND;
        output(x, y) = g(x, y);
        f.compute_root();
        g.compute_root().vectorize(x, 8);
    }
};
HALIDE_REGISTER_GENERATOR(G, g)
