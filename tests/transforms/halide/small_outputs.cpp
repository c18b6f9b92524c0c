#include "Halide.h"
using namespace Halide;
int main() {
    Var x("x"), y("y");
    Func f("f"), g("g");
    f(x, y) = x + y;
    g(x, y) = f(x, y) + f(x + 1, y);
    g.vectorize(x, 8);
    f.compute_root().vectorize(x, 8);
    g.realize({5, 5});
}
