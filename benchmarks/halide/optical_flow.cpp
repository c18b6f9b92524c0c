// How far each pixel moved between two frames: least squares over windows of gradients.
#include "Halide.h"

namespace {

using namespace Halide;

class OpticalFlow : public Generator<OpticalFlow> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};
    GeneratorParam<int> radius{"radius", 2};

    Input<Buffer<uint8_t, 2>> before{"before"};
    Input<Buffer<uint8_t, 2>> after{"after"};
    Output<Func> flow{"flow", {Float(32), Float(32)}, 2};

    Func window(Func f, std::string name) {
        Func total(name);
        total(x, y) = 0.0f;
        total(x, y) += f(x + r.x, y + r.y);
        sums.push_back(total);
        return total;
    }

    void generate() {
        const int reach = radius, size = 2 * reach + 1;
        r = RDom(-reach, size, -reach, size, "r");
        Func first = BoundaryConditions::constant_exterior(before, 0);
        Func second = BoundaryConditions::constant_exterior(after, 0);
        old(x, y) = cast<float>(first(x, y));
        grad_x(x, y) = (old(x + 1, y) - old(x - 1, y)) * 0.5f;
        grad_y(x, y) = (old(x, y + 1) - old(x, y - 1)) * 0.5f;
        grad_t(x, y) = cast<float>(second(x, y)) - old(x, y);

        Func xx("xx"), xy("xy"), yy("yy"), xt("xt"), yt("yt");
        xx(x, y) = grad_x(x, y) * grad_x(x, y);
        xy(x, y) = grad_x(x, y) * grad_y(x, y);
        yy(x, y) = grad_y(x, y) * grad_y(x, y);
        xt(x, y) = grad_x(x, y) * grad_t(x, y);
        yt(x, y) = grad_y(x, y) * grad_t(x, y);
        Expr a = window(xx, "sum_xx")(x, y), b = window(xy, "sum_xy")(x, y);
        Expr d = window(yy, "sum_yy")(x, y);
        Expr p = window(xt, "sum_xt")(x, y), q = window(yt, "sum_yt")(x, y);

        Expr determinant = a * d - b * b;
        Expr regular = abs(determinant) > 1.0f;
        Expr safe = select(regular, determinant, 1.0f);
        flow(x, y) = Tuple(select(regular, (b * q - d * p) / safe, 0.0f),
                           select(regular, (b * p - a * q) / safe, 0.0f));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        Func(flow).split(y, yo, yi, 16).parallel(yo).vectorize(x, 8);
        old.compute_at(flow, yo).vectorize(x, 8);
        grad_x.compute_at(flow, yo).vectorize(x, 8);
        grad_y.compute_at(flow, yo).vectorize(x, 8);
        grad_t.compute_at(flow, yo).vectorize(x, 8);
        for (Func &sum : sums) {
            sum.compute_at(flow, x).vectorize(x, 8);
            sum.update().reorder(x, r.x, r.y).vectorize(x, 8).unroll(r.x);
        }
    }

private:
    Var x{"x"}, y{"y"}, yo{"yo"}, yi{"yi"};
    RDom r;
    Func old{"old"}, grad_x{"grad_x"}, grad_y{"grad_y"}, grad_t{"grad_t"};
    std::vector<Func> sums;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(OpticalFlow, optical_flow)
