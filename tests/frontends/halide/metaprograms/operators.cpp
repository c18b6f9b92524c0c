#include "Halide.h"
using namespace Halide;
enum class Mode { A, B };
class G : public Generator<G> {
public:
    GeneratorParam<bool> b{"b", true}, c{"c", false};
    GeneratorParam<int> i{"i", 7}, j{"j", -3};
    GeneratorParam<uint32_t> u{"u", 3};
    GeneratorParam<int64_t> l{"l", 5000000000};
    GeneratorParam<float> f{"f", 1.5f};
    GeneratorParam<double> d{"d", 2.5};
    GeneratorParam<Type> t{"t", UInt(16)};
    GeneratorParam<Mode> m{"m", Mode::B, {{"a", Mode::A}, {"b", Mode::B}}};
    Output<Buffer<double, 1>> output{"output"};
    void generate() { Var x; output(x) = Expr((double)(EXPRESSION)); }
};
HALIDE_REGISTER_GENERATOR(G, g)
