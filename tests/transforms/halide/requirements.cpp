#include "Halide.h"
using namespace Halide;
class G : public Generator<G> {
public:
    Input<Buffer<int32_t, 2>> input{"input"};
    Input<int> n{"n"};
    Output<Buffer<int32_t, 2>> output{"output"};
    Var x{"x"}, y{"y"};
    void generate() {
        output(x, y) = input(x, y) + n;
        add_requirement(input.width() == output.width() + 2, "widths");
        add_requirement(input.dim(1).extent() % 4 == 0);
        add_requirement(n > 0 && n < 10, "n is ", n);
        add_requirement(output.dim(0).extent() >= 4);
    }
};
HALIDE_REGISTER_GENERATOR(G, g)
