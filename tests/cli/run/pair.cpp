// Each element with its neighbour, by vectors of which the last one begins earlier.
#include "Halide.h"

using namespace Halide;

class Pair : public Generator<Pair> {
public:
    Input<Buffer<float, 1>> input{"input"};
    Output<Buffer<float, 1>> sum{"sum"};

    void generate() {
        Var x{"x"};
        sum(x) = input(x) + input(x + 1);
        sum.vectorize(x, 16, TailStrategy::ShiftInwards);
    }
};

HALIDE_REGISTER_GENERATOR(Pair, pair)
