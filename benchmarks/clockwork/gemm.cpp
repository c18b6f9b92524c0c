// The product of two square matrices: a(k, i), b(j, k), output(j, i).
#include "Halide.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Gemm : public Generator<Gemm> {
public:
    GeneratorParam<int> size{"size", 512};
    GeneratorParam<int> macs{"macs", 8};     // macs x macs multiply-accumulates in each cycle
    GeneratorParam<int> io_rate{"io_rate", 8};  // elements of each stream in each cycle

    Input<Buffer<int16_t, 2>> a{"a"};
    Input<Buffer<int16_t, 2>> b{"b"};
    Output<Buffer<int16_t, 2>> output{"output"};

    void generate() {
        k = RDom(0, size, "k");
        hw_a(x, y) = a(x, y);
        hw_b(x, y) = b(x, y);
        sum(x, y) = i16(0);
        sum(x, y) += hw_a(k, y) * hw_b(x, k);
        hw_output(x, y) = sum(x, y);
        output(x, y) = hw_output(x, y);
    }

    void schedule() {
        Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
        RVar ko("ko"), ki("ki");
        output.bound(x, 0, size).bound(y, 0, size);
        hw_output.compute_root().tile(x, y, xo, yo, xi, yi, size, size).unroll(xi, io_rate)
            .hw_accelerate(xi, xo);
        sum.compute_at(hw_output, xo).unroll(x, macs);
        sum.update().split(k, ko, ki, macs).split(x, xo, xi, macs).reorder(xi, ki, xo, ko, y)
            .unroll(ki).unroll(xi);
        for (Func f : {hw_a, hw_b}) {
            f.compute_root().stream_to_accelerator();
            f.in().compute_at(hw_output, xo).unroll(x, io_rate);
        }
    }

private:
    Var x{"x"}, y{"y"};
    RDom k;
    Func hw_a{"hw_a"}, hw_b{"hw_b"}, sum{"sum"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Gemm, gemm)
