// Two exposures of one scene: each pixel weighted by how well it is exposed, blended by bands.
#include "Halide.h"

namespace {

using namespace Halide;

class ExposureFusion : public Generator<ExposureFusion> {
public:
    static constexpr int LEVELS = 3;

    GeneratorParam<bool> scheduled{"scheduled", true};

    Input<Buffer<uint8_t, 2>> dark{"dark"};
    Input<Buffer<uint8_t, 2>> bright{"bright"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    Func down(Func f, std::string name) {
        Func half(name);
        half(x, y) = (f(2 * x, 2 * y) + f(2 * x + 1, 2 * y) + f(2 * x, 2 * y + 1) +
                      f(2 * x + 1, 2 * y + 1)) / 4;
        return half;
    }

    Func up(Func f, std::string name) {
        Func twice(name);
        twice(x, y) = (3 * f(x / 2, y / 2) + f((x + 1) / 2, (y + 1) / 2)) / 4;
        return twice;
    }

    Func scaled(Func f, std::string name) {
        Func value(name);
        value(x, y) = cast<float>(f(x, y)) / 255.0f;
        return value;
    }

    void generate() {
        Func first = scaled(BoundaryConditions::repeat_edge(dark), "first_0");
        Func second = scaled(BoundaryConditions::repeat_edge(bright), "second_0");
        Func a("a"), b("b"), share("share_0");
        a(x, y) = exp(-12.5f * (first(x, y) - 0.5f) * (first(x, y) - 0.5f));
        b(x, y) = exp(-12.5f * (second(x, y) - 0.5f) * (second(x, y) - 0.5f));
        share(x, y) = a(x, y) / (a(x, y) + b(x, y));
        firsts[0] = first;
        seconds[0] = second;
        shares[0] = share;
        for (int k = 1; k < LEVELS; k++) {
            std::string number = std::to_string(k);
            firsts[k] = down(firsts[k - 1], "first_" + number);
            seconds[k] = down(seconds[k - 1], "second_" + number);
            shares[k] = down(shares[k - 1], "share_" + number);
        }
        for (int k = LEVELS - 1; k >= 0; k--) {
            std::string number = std::to_string(k);
            Func blended("blended_" + number);
            Expr p = firsts[k](x, y), q = seconds[k](x, y);
            if (k < LEVELS - 1) {
                p -= up(firsts[k + 1], "first_up_" + number)(x, y);
                q -= up(seconds[k + 1], "second_up_" + number)(x, y);
            }
            Expr value = shares[k](x, y) * p + (1.0f - shares[k](x, y)) * q;
            if (k < LEVELS - 1) {
                value += up(sums[k + 1], "sum_up_" + number)(x, y);
            }
            sums[k] = Func("sum_" + number);
            sums[k](x, y) = value;
        }
        output(x, y) = cast<uint8_t>(clamp(sums[0](x, y) * 255.0f + 0.5f, 0.0f, 255.0f));
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        for (int k = 1; k < LEVELS; k++) {
            for (Func f : {firsts[k], seconds[k], shares[k], sums[k]}) {
                f.compute_root().parallel(y, 8).vectorize(x, 8);
            }
        }
        shares[0].compute_root().parallel(y, 8).vectorize(x, 8);
        output.parallel(y, 8).vectorize(x, 8);
    }

private:
    Var x{"x"}, y{"y"};
    Func firsts[LEVELS], seconds[LEVELS], shares[LEVELS], sums[LEVELS];
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ExposureFusion, exposure_fusion)
