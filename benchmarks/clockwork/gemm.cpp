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
    // a in the global buffer, sums of some columns at a time; else both matrices and all sums are in
    // memory tiles, of which the array has enough for 128 x 128.
    GeneratorParam<bool> glb{"glb", true};

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
        if (glb) {
            schedule_columns();
            return;
        }
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

    // All rows of `macs` columns at a time: macs x macs elements of b stay where they are multiplied
    // while a goes by, column after column, and what was added leaves during the next columns.
    void schedule_columns() {
        Var xo("xo"), yo("yo"), xi("xi"), yi("yi"), columns("columns");
        RVar ko("ko"), ki("ki");
        hw_output.compute_root().tile(x, y, xo, yo, xi, yi, size, size).split(xi, columns, xi, macs)
            .reorder(xi, yi, columns, xo, yo).unroll(xi, io_rate).hw_accelerate(columns, xo);
        sum.compute_at(hw_output, columns).unroll(x, macs);
        sum.update().split(k, ko, ki, macs).reorder(ki, x, y, ko).unroll(ki).unroll(x, macs);
        hw_a.compute_root().accelerator_input();
        hw_a.in().compute_at(hw_output, xo).store_in(MemoryType::GLB).unroll(x, io_rate);
        hw_b.compute_root().stream_to_accelerator();
        hw_b.in().compute_at(sum, ko).unroll(x, io_rate);
    }

private:
    Var x{"x"}, y{"y"};
    RDom k;
    Func hw_a{"hw_a"}, hw_b{"hw_b"}, sum{"sum"}, hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Gemm, gemm)
