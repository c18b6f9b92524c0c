// A filter that keeps edges: values summed in a coarse grid of place and brightness.
#include "Halide.h"

namespace {

using namespace Halide;

class BilateralGrid : public Generator<BilateralGrid> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};
    GeneratorParam<int> s_sigma{"s_sigma", 8};

    Input<Buffer<float, 2>> input{"input"};
    Input<float> r_sigma{"r_sigma", 0.1f};
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        Func clamped = BoundaryConditions::repeat_edge(input);
        r = RDom(0, s_sigma, 0, s_sigma, "r");
        Expr value = clamp(clamped(x * s_sigma + r.x - s_sigma / 2, y * s_sigma + r.y - s_sigma / 2),
                           0.0f, 1.0f);
        Expr level = cast<int>(value / r_sigma + 0.5f);
        grid(x, y, z, c) = 0.0f;
        grid(x, y, level, c) += select(c == 0, value, 1.0f);

        blur_z(x, y, z, c) = grid(x, y, z - 2, c) + grid(x, y, z - 1, c) * 4 + grid(x, y, z, c) * 6 +
                             grid(x, y, z + 1, c) * 4 + grid(x, y, z + 2, c);
        blur_x(x, y, z, c) = blur_z(x - 2, y, z, c) + blur_z(x - 1, y, z, c) * 4 +
                             blur_z(x, y, z, c) * 6 + blur_z(x + 1, y, z, c) * 4 +
                             blur_z(x + 2, y, z, c);
        blur_y(x, y, z, c) = blur_x(x, y - 2, z, c) + blur_x(x, y - 1, z, c) * 4 +
                             blur_x(x, y, z, c) * 6 + blur_x(x, y + 1, z, c) * 4 +
                             blur_x(x, y + 2, z, c);

        Expr clipped = clamp(input(x, y), 0.0f, 1.0f);
        Expr place = clipped / r_sigma;
        Expr zi = cast<int>(place), zf = place - zi;
        Expr xf = cast<float>(x % s_sigma) / s_sigma, yf = cast<float>(y % s_sigma) / s_sigma;
        Expr xi = x / s_sigma, yi = y / s_sigma;
        interpolated(x, y, c) =
            lerp(lerp(lerp(blur_y(xi, yi, zi, c), blur_y(xi + 1, yi, zi, c), xf),
                      lerp(blur_y(xi, yi + 1, zi, c), blur_y(xi + 1, yi + 1, zi, c), xf), yf),
                 lerp(lerp(blur_y(xi, yi, zi + 1, c), blur_y(xi + 1, yi, zi + 1, c), xf),
                      lerp(blur_y(xi, yi + 1, zi + 1, c), blur_y(xi + 1, yi + 1, zi + 1, c), xf), yf),
                 zf);
        output(x, y) = interpolated(x, y, 0) / interpolated(x, y, 1);
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        blur_z.compute_root().reorder(c, z, x, y).parallel(y).vectorize(x, 8).unroll(c);
        grid.compute_at(blur_z, y);
        grid.update().reorder(c, r.x, r.y, x, y).unroll(c);
        blur_x.compute_root().reorder(c, x, y, z).parallel(z).vectorize(x, 8).unroll(c);
        blur_y.compute_root().reorder(c, x, y, z).parallel(z).vectorize(x, 8).unroll(c);
        grid.bound(c, 0, 2);
        blur_z.bound(c, 0, 2);
        blur_x.bound(c, 0, 2);
        blur_y.bound(c, 0, 2);
        output.parallel(y).vectorize(x, 8);
    }

private:
    Var x{"x"}, y{"y"}, z{"z"}, c{"c"};
    RDom r;
    Func grid{"grid"}, blur_z{"blur_z"}, blur_x{"blur_x"}, blur_y{"blur_y"};
    Func interpolated{"interpolated"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(BilateralGrid, bilateral_grid)
