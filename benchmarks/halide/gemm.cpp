// The product of two matrices; a(k, i), b(j, k), product(j, i).
#include "Halide.h"

namespace {

using namespace Halide;

class Gemm : public Generator<Gemm> {
public:
    GeneratorParam<bool> scheduled{"scheduled", true};
    GeneratorParam<int> size{"size", 128};

    Input<Buffer<float, 2>> a{"a"};
    Input<Buffer<float, 2>> b{"b"};
    Output<Buffer<float, 2>> product{"product"};

    void generate() {
        k = RDom(0, size, "k");
        sum(j, i) = 0.0f;
        sum(j, i) += a(k, i) * b(j, k);
        product(j, i) = sum(j, i);
    }

    void schedule() {
        if (!scheduled) {
            return;
        }
        product.tile(j, i, jo, io, ji, ii, 16, 4).vectorize(ji, 8).unroll(ii).parallel(io);
        sum.compute_at(product, jo).vectorize(j, 8).unroll(j).unroll(i);
        sum.update().reorder(j, i, k).vectorize(j, 8).unroll(j).unroll(i);
    }

private:
    Var i{"i"}, j{"j"}, io{"io"}, jo{"jo"}, ii{"ii"}, ji{"ji"};
    RDom k;
    Func sum{"sum"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Gemm, gemm)
