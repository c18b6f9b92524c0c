// From a sensor's mosaic to a picture: hot pixels, missing colours, colour balance and a curve.
#include "Halide.h"
#include "tiles.h"

#include <cmath>

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Camera : public Generator<Camera> {
public:
    GeneratorParam<int> width{"width", 496}, height{"height", 368};  // of the array's tiles
    GeneratorParam<int> tiles_x{"tiles_x", 5}, tiles_y{"tiles_y", 5};
    GeneratorParam<int> rate{"rate", 4};
    GeneratorParam<bool> glb{"glb", true};

    Input<Buffer<uint16_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    static Expr average(Expr a, Expr b) {
        return (a + b + 1) / 2;
    }

    static Expr average(Expr a, Expr b, Expr c, Expr d) {
        return average(average(a, b), average(c, d));
    }

    // A product of 32 bits of which the 16 in the middle are kept.
    static Expr scaled(int factor, Expr value) {
        return i16(i32(value) * factor >> 8);
    }

    // Green and red in even rows, blue and green in odd ones.
    void generate() {
        hw_input(x, y) = input(x, y);
        Expr most = max(max(hw_input(x, y + 2), hw_input(x + 4, y + 2)),
                        max(hw_input(x + 2, y), hw_input(x + 2, y + 4)));
        denoised(x, y) = min(hw_input(x + 2, y + 2), most);

        Expr here = denoised(x + 2, y + 2), left = denoised(x + 1, y + 2), right = denoised(x + 3, y + 2);
        Expr above = denoised(x + 2, y + 1), below = denoised(x + 2, y + 3);
        Expr cross = average(left, right, above, below);
        Expr corners = average(denoised(x + 1, y + 1), denoised(x + 3, y + 1), denoised(x + 1, y + 3),
                               denoised(x + 3, y + 3));
        Expr row = average(left, right), column = average(above, below);
        Expr odd_x = x % 2 == 1, odd_y = y % 2 == 1;
        red(x, y) = select(odd_y, select(odd_x, column, corners), select(odd_x, here, row));
        green(x, y) = select(odd_x == odd_y, here, cross);
        blue(x, y) = select(odd_y, select(odd_x, row, here), select(odd_x, corners, column));

        const int matrix[3][3] = {{407, -112, -39}, {-41, 346, -49}, {-7, -93, 356}};
        Expr rows[3];
        for (int k = 0; k < 3; k++) {
            rows[k] = scaled(matrix[k][0], red(x, y)) + scaled(matrix[k][1], green(x, y)) +
                      scaled(matrix[k][2], blue(x, y));
        }
        corrected(x, y, c) = clamp(mux(c, {rows[0], rows[1], rows[2]}), i16(0), i16(1023));

        curve = Buffer<uint16_t>(1024, "curve");
        for (int i = 0; i < 1024; i++) {
            const double bright = std::pow(i / 1024.0, 1 / 1.8);
            curve(i) = uint16_t(255 / (1 + std::exp((0.5 - bright) * 10)) + 0.5);
        }
        hw_output(x, y, c) = curve(clamp(i32(corrected(x, y, c)), 0, 1023));
        output(x, y, c) = u8(hw_output(x, y, c));
    }

    void schedule() {
        output.bound(x, 0, int(width) * tiles_x).bound(y, 0, int(height) * tiles_y);
        Tiles tiles(x, y, width, height, rate, glb);
        output.bound(c, 0, 3);
        tiles.accelerate(hw_output, c, 3);
        tiles.buffer({denoised, red, green, blue, corrected});
        corrected.bound(c, 0, 3).reorder(c, x, y).unroll(c);
        tiles.stream(hw_input);
    }

private:
    Var x{"x"}, y{"y"}, c{"c"};
    Buffer<uint16_t> curve;
    Func hw_input{"hw_input"}, denoised{"denoised"}, red{"red"}, green{"green"}, blue{"blue"};
    Func corrected{"corrected"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Camera, camera)
