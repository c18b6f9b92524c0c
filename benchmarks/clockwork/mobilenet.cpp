// A separable layer: each channel with 3x3 weights of its own, then sums over channels.
#include "Halide.h"
#include "layers.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Mobilenet : public Generator<Mobilenet> {
public:
    GeneratorParam<int> width{"width", 112}, height{"height", 112};  // of the output
    GeneratorParam<int> in_channels{"in_channels", 32}, out_channels{"out_channels", 64};
    GeneratorParam<int> tile_width{"tile_width", 28}, tile_height{"tile_height", 28};
    GeneratorParam<int> in_unroll{"in_unroll", 4}, out_unroll{"out_unroll", 8};
    GeneratorParam<int> io_rate{"io_rate", 4};
    GeneratorParam<int> out_rate{"out_rate", 0};  // of the output; 0: the same

    Input<Buffer<int16_t, 3>> input{"input"};                  // channel, x, y
    Input<Buffer<int16_t, 3>> depth_weights{"depth_weights"};  // channel, x, y
    Input<Buffer<int16_t, 2>> point_weights{"point_weights"};  // channel, output channel
    Output<Buffer<int16_t, 3>> output{"output"};                // channel, x, y

    void generate() {
        r = RDom(0, 3, 0, 3, "r");
        in = RDom(0, in_channels, "in");
        hw_input(z, x, y) = input(z, x, y);
        hw_depth(z, x, y) = depth_weights(z, x, y);
        hw_point(z, w) = point_weights(z, w);
        depth(z, x, y) = i16(0);
        depth(z, x, y) += hw_depth(z, r.x, r.y) * hw_input(z, x + r.x, y + r.y);
        sum(w, x, y) = i16(0);
        sum(w, x, y) += hw_point(in, w) * depth(in, x, y);
        hw_output(w, x, y) = max(sum(w, x, y), i16(0));
        output(w, x, y) = hw_output(w, x, y);
    }

    void schedule() {
        Layer layer(w, x, y);
        layer.width = width;
        layer.height = height;
        layer.channels = out_channels;
        layer.tile_width = tile_width;
        layer.tile_height = tile_height;
        layer.in_unroll = in_unroll;
        layer.out_unroll = out_unroll;
        layer.io_rate = io_rate;
        layer.out_rate = out_rate;
        output.bound(w, 0, out_channels).bound(x, 0, width).bound(y, 0, height);
        layer.accelerate(hw_output);
        const LoopLevel group(sum, layer.accumulate(sum, in, {x, y}));
        depth.compute_at(group).unroll(z, in_unroll);
        depth.update().reorder(z, r.x, r.y, x, y).unroll(z, in_unroll).unroll(r.x).unroll(r.y);
        layer.stream(hw_input, group, z);
        layer.stream(hw_depth, group, z);
        layer.stream(hw_point, group, z);
    }

private:
    Var w{"w"}, x{"x"}, y{"y"}, z{"z"};
    RDom r, in;
    Func hw_input{"hw_input"}, hw_depth{"hw_depth"}, hw_point{"hw_point"}, depth{"depth"}, sum{"sum"};
    Func hw_output{"hw_output"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Mobilenet, mobilenet)
