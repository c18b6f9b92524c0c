// From a sensor's mosaic to a picture: hot pixels, missing colours, colour balance and a curve.
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Camera : public Generator<Camera> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};
    GeneratorParam<float> gamma{"gamma", 1.8f};
    GeneratorParam<float> contrast{"contrast", 10.0f};

    Input<Buffer<uint16_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    static Expr average(Expr a, Expr b) {
        return u16((u32(a) + b + 1) / 2);
    }

    void generate() {
        shifted(x, y) = input(x + 8, y + 8);
        Expr most = max(max(shifted(x - 2, y), shifted(x + 2, y)),
                        max(shifted(x, y - 2), shifted(x, y + 2)));
        Expr least = min(min(shifted(x - 2, y), shifted(x + 2, y)),
                         min(shifted(x, y - 2), shifted(x, y + 2)));
        denoised(x, y) = clamp(shifted(x, y), least, most);

        // The mosaic: green and red in even rows, blue and green in odd ones.
        mosaic(x, y, c) = mux(c, {denoised(2 * x, 2 * y), denoised(2 * x + 1, 2 * y),
                                  denoised(2 * x, 2 * y + 1), denoised(2 * x + 1, 2 * y + 1)});
        Expr g0 = mosaic(x, y, 0), red = mosaic(x, y, 1), blue = mosaic(x, y, 2);
        Expr g1 = mosaic(x, y, 3);

        green_at_red(x, y) = average(average(g0, mosaic(x + 1, y, 0)),
                                     average(g1, mosaic(x, y - 1, 3)));
        green_at_blue(x, y) = average(average(g1, mosaic(x - 1, y, 3)),
                                      average(g0, mosaic(x, y + 1, 0)));
        red_at_green(x, y) = average(red, mosaic(x - 1, y, 1));
        blue_at_green(x, y) = average(blue, mosaic(x, y - 1, 2));
        red_at_blue(x, y) = average(average(red, mosaic(x - 1, y, 1)),
                                    average(mosaic(x, y + 1, 1), mosaic(x - 1, y + 1, 1)));
        blue_at_red(x, y) = average(average(blue, mosaic(x + 1, y, 2)),
                                    average(mosaic(x, y - 1, 2), mosaic(x + 1, y - 1, 2)));
        red_below(x, y) = average(red, mosaic(x, y + 1, 1));
        blue_right(x, y) = average(blue, mosaic(x + 1, y, 2));

        Expr hx = x / 2, hy = y / 2;
        Expr odd_x = x % 2 == 1, odd_y = y % 2 == 1;
        Expr full_red = select(odd_y, select(odd_x, red_below(hx, hy), red_at_blue(hx, hy)),
                               select(odd_x, mosaic(hx, hy, 1), red_at_green(hx, hy)));
        Expr full_green = select(odd_y, select(odd_x, mosaic(hx, hy, 3), green_at_blue(hx, hy)),
                                 select(odd_x, green_at_red(hx, hy), mosaic(hx, hy, 0)));
        Expr full_blue = select(odd_y, select(odd_x, blue_right(hx, hy), mosaic(hx, hy, 2)),
                                select(odd_x, blue_at_red(hx, hy), blue_at_green(hx, hy)));
        colours(x, y, c) = i32(mux(c, {full_red, full_green, full_blue}));

        const int matrix[3][3] = {{407, -112, -39}, {-41, 346, -49}, {-7, -93, 356}};
        Expr rows[3];
        for (int k = 0; k < 3; k++) {
            rows[k] = (matrix[k][0] * colours(x, y, 0) + matrix[k][1] * colours(x, y, 1) +
                       matrix[k][2] * colours(x, y, 2)) / 256;
        }
        corrected(x, y, c) = i16(clamp(mux(c, {rows[0], rows[1], rows[2]}), 0, 1023));

        Expr level = cast<float>(x) / 1024.0f;
        Expr bright = pow(level, 1.0f / float(gamma));
        Expr curved = 1.0f / (1.0f + exp((0.5f - bright) * float(contrast)));
        curve(x) = u8(clamp(curved * 255.0f + 0.5f, 0.0f, 255.0f));

        output(x, y, c) = curve(clamp(i32(corrected(x, y, c)), 0, 1023));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        curve.compute_root();
        output.bound(c, 0, 3).tile(x, y, xo, yo, xi, yi, 64, 16).reorder(xi, yi, c, xo, yo)
            .parallel(yo);
        corrected.compute_at(output, xo).bound(c, 0, 3).reorder(c, x, y).unroll(c);
        colours.compute_at(output, xo).reorder(c, x, y).bound(c, 0, 3).unroll(c);
        mosaic.compute_at(output, xo).bound(c, 0, 4).reorder(c, x, y).unroll(c);
        denoised.compute_at(output, xo).vectorize(x, 16);
    }

private:
    Var x{"x"}, y{"y"}, c{"c"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    Func shifted{"shifted"}, denoised{"denoised"}, mosaic{"mosaic"}, colours{"colours"};
    Func green_at_red{"green_at_red"}, green_at_blue{"green_at_blue"};
    Func red_at_green{"red_at_green"}, blue_at_green{"blue_at_green"};
    Func red_at_blue{"red_at_blue"}, blue_at_red{"blue_at_red"};
    Func red_below{"red_below"}, blue_right{"blue_right"};
    Func corrected{"corrected"}, curve{"curve"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Camera, camera)
