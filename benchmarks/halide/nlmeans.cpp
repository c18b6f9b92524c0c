// Averages of pixels whose neighbourhoods look alike.
#include "Halide.h"

namespace {

using namespace Halide;

class Nlmeans : public Generator<Nlmeans> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};
    GeneratorParam<int> patch{"patch", 3};
    GeneratorParam<int> search{"search", 5};

    Input<Buffer<float, 3>> input{"input"};
    Input<float> sigma{"sigma", 0.12f};
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        const int p = patch, s = search;
        Expr sharpness = -1.0f / (sigma * sigma * p * p);
        Func clamped = BoundaryConditions::repeat_edge(input, {{0, input.width()}, {0, input.height()}, {0, 3}});

        RDom channels(0, 3, "channels");
        squares(x, y, dx, dy, c) = pow(clamped(x, y, c) - clamped(x + dx, y + dy, c), 2);
        distance(x, y, dx, dy) = sum(squares(x, y, dx, dy, channels), "over_channels");
        RDom window(-(p / 2), p, "window");
        across(x, y, dx, dy) = sum(distance(x + window, y, dx, dy), "over_x");
        both(x, y, dx, dy) = sum(across(x, y + window, dx, dy), "over_y");
        weight(x, y, dx, dy) = exp(both(x, y, dx, dy) * sharpness);

        around = RDom(-(s / 2), s, -(s / 2), s, "around");
        total(x, y, c) = 0.0f;
        Expr value = select(c == 3, 1.0f, clamped(x + around.x, y + around.y, clamp(c, 0, 2)));
        total(x, y, c) += weight(x, y, around.x, around.y) * value;
        output(x, y, c) = clamp(total(x, y, c) / total(x, y, 3), 0.0f, 1.0f);
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        output.bound(c, 0, 3).tile(x, y, xo, yo, x, y, 32, 8).reorder(c, x, y, xo, yo).parallel(yo);
        output.vectorize(x, 8);
        total.compute_at(output, xo).vectorize(x, 8);
        total.update().reorder(x, y, c, around.x, around.y).vectorize(x, 8);
        weight.compute_at(total, around.x).vectorize(x, 8);
        across.compute_at(total, around.x).vectorize(x, 8);
        distance.compute_at(total, around.x).vectorize(x, 8);
    }

private:
    Var x{"x"}, y{"y"}, c{"c"}, dx{"dx"}, dy{"dy"}, xo{"xo"}, yo{"yo"};
    RDom around;
    Func squares{"squares"}, distance{"distance"}, across{"across"}, both{"both"};
    Func weight{"weight"}, total{"total"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Nlmeans, nlmeans)
