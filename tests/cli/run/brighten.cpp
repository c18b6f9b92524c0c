#include "Halide.h"

Halide::Func brighten(Halide::Func in, Halide::Expr by) {
    Halide::Var x{"x"}, y{"y"};
    Halide::Func brighter{"brighter"};
    brighter(x, y) = Halide::cast<uint8_t>(Halide::min(Halide::cast<int>(in(x, y)) + by, 255));
    return brighter;
}
