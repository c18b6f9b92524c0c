// Corners: products of gradients, summed over 3x3 windows, and the maxima of their response.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Harris : public Generator<Harris> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};
    GeneratorParam<int> threshold{"threshold", 100};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    Func window(Func f, std::string name) {
        Func sum(name);
        sum(x, y) = 0;
        sum(x, y) += f(x + box.x, y + box.y);
        return sum;
    }

    void generate() {
        padded(x, y) = i16(input(x + 3, y + 3));
        grad_x(x, y) = padded(x + 1, y - 1) + 2 * padded(x + 1, y) + padded(x + 1, y + 1) -
                       padded(x - 1, y - 1) - 2 * padded(x - 1, y) - padded(x - 1, y + 1);
        grad_y(x, y) = padded(x - 1, y + 1) + 2 * padded(x, y + 1) + padded(x + 1, y + 1) -
                       padded(x - 1, y - 1) - 2 * padded(x, y - 1) - padded(x + 1, y - 1);

        xx(x, y) = i32(grad_x(x, y)) * i32(grad_x(x, y)) >> 7;
        xy(x, y) = i32(grad_x(x, y)) * i32(grad_y(x, y)) >> 7;
        yy(x, y) = i32(grad_y(x, y)) * i32(grad_y(x, y)) >> 7;
        sum_xx = window(xx, "sum_xx");
        sum_xy = window(xy, "sum_xy");
        sum_yy = window(yy, "sum_yy");

        Expr a = sum_xx(x, y) >> 6, b = sum_xy(x, y) >> 6, c = sum_yy(x, y) >> 6;
        Expr trace = a + c;
        response(x, y) = a * c - b * b - (trace * trace >> 4);

        Expr here = response(x, y);
        Expr greatest = here > threshold;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                if (dx != 0 || dy != 0) {
                    greatest = greatest && here > response(x + dx, y + dy);
                }
            }
        }
        output(x, y) = select(greatest, u8(255), u8(0));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        output.split(y, yo, yi, 32).parallel(yo).vectorize(x, 16);
        response.compute_at(output, yo).vectorize(x, 8);
        grad_x.compute_at(output, yo).vectorize(x, 16);
        grad_y.compute_at(output, yo).vectorize(x, 16);
        for (Func f : {sum_xx, sum_xy, sum_yy}) {
            f.compute_at(response, x).vectorize(x, 8);
            f.update().vectorize(x, 8).unroll(box.x).unroll(box.y);
        }
    }

private:
    Var x{"x"}, y{"y"}, yo{"yo"}, yi{"yi"};
    RDom box{-1, 3, -1, 3, "box"};
    Func padded{"padded"}, grad_x{"grad_x"}, grad_y{"grad_y"}, xx{"xx"}, xy{"xy"}, yy{"yy"};
    Func sum_xx, sum_xy, sum_yy, response{"response"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Harris, harris)
