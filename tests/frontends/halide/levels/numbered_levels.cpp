#include "Halide.h"
using namespace Halide;
int main() {
    Var x("x"), y("y"); Func f("f"), g("g"); f(x, y) = x + y; g(x, y) = f(x, y) + f(x, y + 1);
    g.iteration_order({{x, 4}, {y, 8}, {x, 4}, {y, 2}});
    f.compute_at(g.get_looplevel(x, 2));
    g.realize({16, 16});
}
