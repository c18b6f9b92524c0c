#include "Halide.h"
using namespace Halide;

class Blur : public Generator<Blur> {
public:
    Input<Buffer<uint8_t>> in{"in", 2};
    Output<Buffer<uint16_t>> out{"out", 2};
    GeneratorParam<int> version{"version", 1};
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"};
    Func rows{"rows"};

    void generate() {
        rows(x, y) = cast<uint16_t>(in(x, y)) + in(x + 1, y) + in(x + 2, y);
        out(x, y) = (rows(x, y) + rows(x, y + 1) + rows(x, y + 2)) / 9;
    }

    void schedule() {
        if (version == 1) {
            rows.store_root().compute_at(out, y);
        } else if (version == 2) {
            rows.compute_at(out, xi);
            out.split(x, xo, xi, 8).reorder(y, xi, xo);
        } else {
            rows.compute_at(out, xo);
        }
    }
};
HALIDE_REGISTER_GENERATOR(Blur, blur)
