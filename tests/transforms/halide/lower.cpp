#include "Halide.h"
using namespace Halide;
int main() {
    ImageParam in(UInt(8), 2, "in");
    Var x("x"), y("y"), xo("xo"), xi("xi");
    Func f("f"), g("g"), out("out");
    f(x, y) = cast<int>(in(x, y)) * 3 + x;
    g(x, y) = f(x, y) + f(x + 1, y + 1);
    out(x, y) = g(x, y) * 2 + g(x + 2, y);
    TailStrategy tail = TailStrategy::PredicateStores;
    g.compute_root().split(x, xo, xi, 8, tail).vectorize(xi).unroll(y, 2, tail);
    f.compute_at(g, xo).vectorize(x, 4, tail);
    out.realize({37, 23});
}
