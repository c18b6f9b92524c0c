#include "Halide.h"
using namespace Halide;
class G : public Generator<G> {
public:
    Input<Buffer<TYPE, 2>> input{"input"};
    Output<Buffer<TYPE, 2>> output{"output"};
    Var x{"x"}, y{"y"}, xi{"xi"}, yo{"yo"}, yi{"yi"};
    Func f{"f"}, g{"g"}, h{"h"}, k{"k"};
    RDom r{0, 3, 0, 3, "r"};
    void generate() {
        BODY
    }
};
HALIDE_REGISTER_GENERATOR(G, g)
