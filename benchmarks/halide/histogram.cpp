// Brightness spread evenly: a histogram, its running sum, and the picture through it.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Histogram : public Generator<Histogram> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        RDom columns(input.dim(0).min(), input.width(), "columns");
        rows(v, y) = 0;
        rows(v, y) = rows(v, y);
        rows(clamp(i32(input(columns, y)), 0, 255), y) += 1;
        RDom lines(input.dim(1).min(), input.height(), "lines");
        counts(v) = 0;
        counts(v) += rows(v, lines);
        RDom up(1, 255, "up");
        running(v) = counts(0);
        running(up) = running(up - 1) + counts(up);
        Expr pixels = input.width() * input.height();
        output(x, y) = u8(clamp(running(i32(input(x, y))) * 255 / pixels, 0, 255));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        rows.compute_root().parallel(y).vectorize(v, 8);
        rows.update(0).parallel(y);
        rows.update(1).parallel(y);
        counts.compute_root().vectorize(v, 8);
        counts.update().vectorize(v, 8);
        running.compute_root().bound(v, 0, 256);
        output.parallel(y, 8).vectorize(x, 8);
    }

private:
    Var x{"x"}, y{"y"}, v{"v"};
    Func rows{"rows"}, counts{"counts"}, running{"running"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Histogram, histogram)
