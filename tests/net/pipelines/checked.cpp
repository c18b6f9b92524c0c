#include "Halide.h"
using namespace Halide;
class G : public Generator<G> {
public:
    PORTS
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"};
    Func f{"f"}, g{"g"};
    RDom r{0, 3, 0, 3, "r"};
    void generate() {
        BODY
    }
};
HALIDE_REGISTER_GENERATOR(G, g)
