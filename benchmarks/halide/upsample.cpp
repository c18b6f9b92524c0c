// Every pixel four times: twice as wide and twice as high.
#include "Halide.h"

namespace {

using namespace Halide;

class Upsample : public Generator<Upsample> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};

    Input<Buffer<uint8_t, 3>> input{"input"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        nearest(x, y, c) = input(x / 2, y / 2, c);
        output(x, y, c) = nearest(x, y, c);
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        output.split(y, yo, yi, 8).fuse(yo, c, rows).parallel(rows).vectorize(x, 16);
    }

private:
    Var x{"x"}, y{"y"}, c{"c"}, yo{"yo"}, yi{"yi"}, rows{"rows"};
    Func nearest{"nearest"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Upsample, upsample)
