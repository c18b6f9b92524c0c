#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class RandomNumbers : public Generator<RandomNumbers> {
public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        Func noise("noise"), third("third"), padded = BoundaryConditions::repeat_edge(input);
        // One call in a full expression: C++ leaves open in which order operands are evaluated.
        Expr first = random_float(), second = random_float(3);
        noise(x, y) = first * 0.5f + second * 0.25f;
        third(x, y) = random_float(i32(padded(x, y)));
        output(x, y) = select(x < y, third(x, y), noise(x, y) + noise(y, x) * 0.25f);
        noise.compute_root().vectorize(x, 8);
        output.vectorize(x, 8).parallel(y);
    }

private:
    Var x{"x"}, y{"y"};
};

class RandomUpdates : public Generator<RandomUpdates> {
public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<int32_t, 2>> output{"output"};

    void generate() {
        RDom r(0, 5, 0, 3);
        r.where(random_uint() % 3 != 0);
        Func total("total");
        total(x, y) = random_int() & 1023;
        total(x, y) += i32(random_uint(7) >> 20) * r.x + r.y;
        total(x, 2) = random_int(x) >> 8;
        RDom q(0, 4);
        Expr inside = sum(i32(random_uint() & 255) + i32(input(x, y)) * q);
        output(x, y) = total(x, y) ^ inside ^ random_int(u32(total(x, y)));
        total.compute_root();
    }

private:
    Var x{"x"}, y{"y"};
};

class HalfValues : public Generator<HalfValues> {
public:
    Input<Buffer<float16_t, 2>> input{"input"};
    Output<Buffer<float16_t, 2>> output{"output"};

    void generate() {
        Func copy("copy");
        copy(x, y) = input(x, y);
        Expr a = copy(x, y), b = copy(x + 1, y + 1);
        output(x, y) = select(a < b, (a * b + a) / (abs(b) + f16(1)), min(a - b * f16(3), f16(1)));
        copy.compute_root();
        output.vectorize(x, 8);
    }

private:
    Var x{"x"}, y{"y"};
};

class HalfFunctions : public Generator<HalfFunctions> {
public:
    Input<Buffer<float16_t, 2>> input{"input"};
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        Expr a = input(x, y), b = abs(input(x + 1, y));
        Func sums("sums");
        RDom r(0, 3);
        sums(x, y) = f16(0);
        sums(x, y) += input(x + r, y) * f16(0.5f);
        output(x, y) = f32(sqrt(b) + floor(a) * ceil(b)) + f32(round(a)) + f32(exp(min(a, f16(2)))) +
                       f32(lerp(a, b, f16(0.25f))) + cast<float>(f16(f64(a) * Expr(1.0009765625))) +
                       f32(i32(clamp(a, f16(-100), f16(100)))) + f32(f16(u8(x) * 33) - trunc(b)) +
                       f32(sums(x, y)) + select(is_nan(a), 1.0f, 0.0f) +
                       cast<float>(reinterpret<uint16_t>(a) & 31) + f32(f16(bf16(f32(a))));
        sums.compute_root();
    }

private:
    Var x{"x"}, y{"y"};
};

class BrainValues : public Generator<BrainValues> {
public:
    Input<Buffer<bfloat16_t, 2>> input{"input"};
    Output<Buffer<bfloat16_t, 2>> output{"output"};

    void generate() {
        Expr a = input(x, y), b = input(x + 1, y + 1);
        output(x, y) = select(a > b, a * b + a, bf16(f32(a) * 0.3f) - max(b, a));
    }

private:
    Var x{"x"}, y{"y"};
};

class WholeNumbers : public Generator<WholeNumbers> {
public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<int64_t, 2>> output{"output"};

    void generate() {
        Expr a = input(x, y), b = input(x + 1, y + 1);
        Expr wide = i16(a) - 100, by = select(b > 99, i16(b) - 98, i16(b) - 100);
        output(x, y) = i64(div_round_to_zero(wide, by)) * 3 ^ i64(mod_round_to_zero(wide, by)) * 5 ^
                       i64(div_round_to_zero(i32(wide) * 1000, i32(by))) << 8 ^
                       i64(extract_bits<int8_t>(u16(a) * 771, 5)) << 16 ^
                       i64(extract_bits<uint16_t>(i16(wide), u16(b) & 15)) << 20 ^
                       i64(concat_bits({a, b})) << 3 ^
                       i64(concat_bits({wide, by, wide, i16(7)})) ^
                       i64(strict_float(f32(a) * 2.5f));
    }

private:
    Var x{"x"}, y{"y"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(WholeNumbers, whole_numbers)
HALIDE_REGISTER_GENERATOR(RandomNumbers, random_numbers)
HALIDE_REGISTER_GENERATOR(RandomUpdates, random_updates)
HALIDE_REGISTER_GENERATOR(HalfValues, half_values)
HALIDE_REGISTER_GENERATOR(HalfFunctions, half_functions)
HALIDE_REGISTER_GENERATOR(BrainValues, brain_values)
