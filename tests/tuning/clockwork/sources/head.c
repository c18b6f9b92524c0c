#include "Halide.h"
using namespace Halide;
class Made : public Generator<Made> {
public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};
    void generate() {
        Var x{"x"}, y{"y"};
