// A 3x3 blur whose weights are computed from a Gaussian and rounded to sixteenths.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Gaussian : public Generator<Gaussian> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        const float sigma = 1.2f;
        Expr distance = cast<float>((x - 1) * (x - 1) + (y - 1) * (y - 1));
        weight(x, y) = u16(round(exp(-distance / (2 * sigma * sigma)) * 40.0f));
        total() = u16(0);
        total() += weight(s.x, s.y);

        blur(x, y) = u16(0);
        blur(x, y) += weight(r.x, r.y) * u16(input(x + r.x, y + r.y));
        output(x, y) = u8(min(blur(x, y) / total(), u16(255)));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        weight.compute_root().bound(x, 0, 3).bound(y, 0, 3);
        total.compute_root();
        output.split(y, yo, yi, 16).parallel(yo).vectorize(x, 16);
        blur.compute_at(output, x).vectorize(x, 16);
        blur.update().reorder(x, r.x, r.y).vectorize(x, 16).unroll(r.x).unroll(r.y);
    }

private:
    Var x{"x"}, y{"y"}, yo{"yo"}, yi{"yi"};
    RDom r{0, 3, 0, 3, "r"}, s{0, 3, 0, 3, "s"};
    Func weight{"weight"}, total{"total"}, blur{"blur"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Gaussian, gaussian)
