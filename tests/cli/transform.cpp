#include "Halide.h"
using namespace Halide;
class G : public Generator<G> {
public:
    Output<Buffer<int32_t, 1>> output{"output"};
    void generate() { Var x; output(x) = x; }
};
HALIDE_REGISTER_GENERATOR(G, g)
