// A block of a network that learns as it runs: a 3x3 convolution of stride 2 over channels, its mean
// taken away and scaled for each channel, and a ramp.
#include "Halide.h"
#include "layers.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Jitnet : public Generator<Jitnet> {
public:
    GeneratorParam<int> width{"width", 80}, height{"height", 45};  // of the output
    GeneratorParam<int> in_channels{"in_channels", 64}, out_channels{"out_channels", 64};
    GeneratorParam<int> tile_width{"tile_width", 20}, tile_height{"tile_height", 32};
    GeneratorParam<int> in_unroll{"in_unroll", 8}, out_unroll{"out_unroll", 16};
    GeneratorParam<int> io_rate{"io_rate", 16};
    GeneratorParam<int> out_rate{"out_rate", 0};  // of the output; 0: the same
    GeneratorParam<bool> window_first{"window_first", true};  // what is added first, then places

    Input<Buffer<int16_t, 3>> input{"input"};      // channel, x, y
    Input<Buffer<int16_t, 4>> weights{"weights"};  // channel, output channel, x, y
    Input<Buffer<int16_t, 1>> means{"means"};
    Input<Buffer<int16_t, 1>> scales{"scales"};        // in 16ths
    Output<Buffer<int16_t, 3>> output{"output"};    // channel, x, y

    void generate() {
        r = RDom(0, 3, 0, 3, 0, in_channels, "r");
        hw_input(z, x, y) = input(z, x, y);
        hw_weights(z, w, x, y) = weights(z, w, x, y);
        sum(w, x, y) = i16(0);
        sum(w, x, y) += hw_weights(r.z, w, r.x, r.y) * hw_input(r.z, 2 * x + r.x, 2 * y + r.y);
        hw_means(w) = means(w);
        hw_scales(w) = scales(w);
        Expr normal = (sum(w, x, y) - hw_means(w)) / 16 * hw_scales(w);
        hw_output(w, x, y) = max(normal, i16(0));
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
        const LoopLevel group(sum, window_first ? layer.accumulate(sum, r.z, {r.x, r.y, x, y})
                                                : layer.accumulate(sum, r.z, {x, y, r.x, r.y}));
        layer.stream(hw_input, group, z);
        layer.stream(hw_weights, group, z);
        const LoopLevel tile(hw_output, layer.wo);
        layer.stream(hw_means, tile, w);
        layer.stream(hw_scales, tile, w);
    }

private:
    Var w{"w"}, x{"x"}, y{"y"}, z{"z"};
    RDom r;
    Func hw_input{"hw_input"}, hw_weights{"hw_weights"}, sum{"sum"}, hw_output{"hw_output"};
    Func hw_means{"hw_means"}, hw_scales{"hw_scales"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Jitnet, jitnet)
