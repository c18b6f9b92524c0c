// A binomial window of 3x3; rows are kept while the next ones use them.
#include "Halide.h"

using namespace Halide;

class Soften : public Generator<Soften> {
public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        Var x{"x"}, y{"y"}, yi{"yi"};
        Func wide{"wide"}, rows{"rows"};
        wide(x, y) = cast<uint16_t>(input(x, y));
        rows(x, y) = wide(x, y) + 2 * wide(x + 1, y) + wide(x + 2, y);
        output(x, y) = cast<uint8_t>((rows(x, y) + 2 * rows(x, y + 1) + rows(x, y + 2)) / 16);
        output.split(y, y, yi, 32).parallel(y).vectorize(x, 16);
        rows.store_at(output, y).compute_at(output, yi).vectorize(x, 16);
    }
};

HALIDE_REGISTER_GENERATOR(Soften, soften)
