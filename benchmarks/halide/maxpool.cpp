// The greatest of each 3x3 window, two apart, channel by channel.
#include "Halide.h"

namespace {

using namespace Halide;

class Maxpool : public Generator<Maxpool> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};

    Input<Buffer<int8_t, 3>> input{"input"};    // channel, x, y
    Output<Buffer<int8_t, 3>> output{"output"};  // channel, x, y

    void generate() {
        greatest(k, x, y) = Int(8).min();
        greatest(k, x, y) = max(greatest(k, x, y), input(k, 2 * x + r.x, 2 * y + r.y));
        output(k, x, y) = greatest(k, x, y);
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        output.parallel(y).vectorize(k, 16);
        greatest.update().unroll(r.x).unroll(r.y);
    }

private:
    Var k{"k"}, x{"x"}, y{"y"};
    RDom r{0, 3, 0, 3, "r"};
    Func greatest{"greatest"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Maxpool, maxpool)
