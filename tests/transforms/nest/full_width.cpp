#include "Halide.h"
using namespace Halide;
class G : public Generator<G> {
public:
    Input<Buffer<TYPE, 1>> input{"input"}, other{"other"};
    Output<Buffer<TYPE, 1>> output{"output"};
    Var x{"x"};
    void generate() {
        Expr a = input(x), b = other(x);
        output(x) = FUNCTION;
        output.vectorize(x, 8);
    }
};
HALIDE_REGISTER_GENERATOR(G, g)
