// Each element twice in both directions, in colours.
#include "Halide.h"

using namespace Halide;

class Zoom : public Generator<Zoom> {
public:
    Input<Buffer<float, 3>> input{"input"};
    Output<Buffer<float, 3>> larger{"larger"};

    void generate() {
        Var x{"x"}, y{"y"}, c{"c"};
        larger(x, y, c) = input(x / 2, y / 2, c) * 0.5f;
        larger.bound(c, 0, 3).vectorize(x, 8, TailStrategy::GuardWithIf);
    }
};

HALIDE_REGISTER_GENERATOR(Zoom, zoom)
