#include "Halide.h"
using namespace Halide;
class Scheduled : public Generator<Scheduled> {
public:
    Input<Buffer<int16_t, 2>> I{"I"}, W{"W"};
    Output<Buffer<int16_t, 2>> O{"O"};
    void generate() {
        Var x("x"), y("y"), yi("yi");
        RDom r(0, 3, 0, 3, "r");
        Func sum("sum");
        sum(x, y) += cast<int32_t>(W(r.x, r.y)) * I(x + r.x, y + r.y);
        O(x, y) = cast<int16_t>(sum(x, y) >> 10);
        SCHEDULE
    }
};
HALIDE_REGISTER_GENERATOR(Scheduled, scheduled)
