// How far each pixel moved between two frames: least squares over windows of gradients.
#include "Halide.h"
#include "tiles.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class OpticalFlow : public Generator<OpticalFlow> {
public:
    GeneratorParam<int> width{"width", 62}, height{"height", 62};  // of the array's tiles
    GeneratorParam<int> tiles_x{"tiles_x", 4}, tiles_y{"tiles_y", 4};
    GeneratorParam<int> rate{"rate", 1};
    GeneratorParam<bool> glb{"glb", true};
    GeneratorParam<int> size{"size", 3};  // of the window, odd

    Input<Buffer<uint8_t, 2>> before{"before"};
    Input<Buffer<uint8_t, 2>> after{"after"};
    Output<Buffer<int16_t, 3>> output{"output"};  // x, y, component; in 64ths of a pixel

    // Gradients below 2^6 and sums below 2^7 keep products in 16 bits; a table divides.
    void generate() {
        window = RDom(0, size, 0, size, "window");
        reciprocals = Buffer<int16_t>(128, "reciprocals");
        for (int i = 0; i < 128; i++) {
            reciprocals(i) = int16_t(64 / (i < 1 ? 1 : i));
        }
        first(x, y) = i16(before(x, y));
        second(x, y) = i16(after(x, y));
        grad_x(x, y) = (first(x + 2, y + 1) - first(x, y + 1)) / 8;
        grad_y(x, y) = (first(x + 1, y + 2) - first(x + 1, y)) / 8;
        grad_t(x, y) = (second(x + 1, y + 1) - first(x + 1, y + 1)) / 8;
        Expr a = sum(grad_x, grad_x, "xx"), b = sum(grad_x, grad_y, "xy");
        Expr d = sum(grad_y, grad_y, "yy");
        Expr p = sum(grad_x, grad_t, "xt"), q = sum(grad_y, grad_t, "yt");
        determinant(x, y) = (a * d - b * b) / 64;
        u(x, y) = (b * q - d * p) / 64;
        v(x, y) = (b * p - a * q) / 64;
        Expr here = determinant(x, y), reciprocal = reciprocals(clamp(i32(here), 0, 127));
        Expr moved = mux(c, {u(x, y), v(x, y)}) * reciprocal;
        hw_output(x, y, c) = select(here > 0, moved, i16(0));
        output(x, y, c) = hw_output(x, y, c);
    }

    Expr sum(Func f, Func g, std::string name) {
        Func product(name), total("sum_" + name);
        product(x, y) = f(x, y) * g(x, y) / 16;
        total(x, y) = i16(0);
        total(x, y) += product(x + window.x, y + window.y);
        products.push_back(product);
        sums.push_back(total);
        return total(x, y) / 16;
    }

    void schedule() {
        output.bound(x, 0, int(width) * tiles_x).bound(y, 0, int(height) * tiles_y);
        Tiles tiles(x, y, width, height, rate, glb);
        output.bound(c, 0, 2);
        tiles.accelerate(hw_output, c, 2);
        tiles.buffer({grad_x, grad_y, grad_t, determinant, u, v});
        tiles.buffer(products);
        for (Func f : sums) {
            tiles.buffer_sum(f, window);
        }
        tiles.stream(first);
        tiles.stream(second);
    }

private:
    Var x{"x"}, y{"y"}, c{"c"};
    RDom window;
    Buffer<int16_t> reciprocals;
    std::vector<Func> products, sums;
    Func first{"first"}, second{"second"}, grad_x{"grad_x"}, grad_y{"grad_y"}, grad_t{"grad_t"};
    Func determinant{"determinant"}, u{"u"}, v{"v"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(OpticalFlow, optical_flow)
