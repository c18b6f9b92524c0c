// Layers of a residual network one after another on one array: 3x3 convolutions over channels with
// ramps, which share the array's products; each layer's output stays in the global buffer.
#include "Halide.h"
#include "layers.h"

namespace {

using namespace Halide;
using namespace Halide::ConciseCasts;

class Network : public Generator<Network> {
public:
    GeneratorParam<int> layers{"layers", 3};
    GeneratorParam<int> width{"width", 28}, height{"height", 28};  // of the last layer's output
    GeneratorParam<int> channels{"channels", 64};
    GeneratorParam<int> in_unroll{"in_unroll", 8}, out_unroll{"out_unroll", 8};
    GeneratorParam<int> io_rate{"io_rate", 8};
    GeneratorParam<bool> share{"share", true};

    Input<Buffer<int16_t, 3>> input{"input"};      // channel, x, y
    Input<Buffer<int16_t, 5>> weights{"weights"};  // channel, output channel, x, y, layer
    Output<Buffer<int16_t, 3>> output{"output"};    // channel, x, y

    void generate() {
        r = RDom(0, 3, 0, 3, 0, channels, "r");
        hw_input(z, x, y) = input(z, x, y);
        Func before = hw_input;
        for (int k = 0; k < layers; k++) {
            const std::string number = std::to_string(k);
            Func taken("hw_weights" + number), sum("sum" + number), ramp("layer" + number);
            taken(z, w, x, y) = weights(z, w, x, y, k);
            sum(w, x, y) = i16(0);
            sum(w, x, y) += taken(r.z, w, r.x, r.y) * before(r.z, x + r.x, y + r.y);
            ramp(w, x, y) = max(sum(w, x, y), i16(0));
            hw_weights.push_back(taken);
            sums.push_back(sum);
            ramps.push_back(ramp);
            before = ramp;
        }
        output(w, x, y) = before(w, x, y);
    }

    void schedule() {
        output.bound(w, 0, channels).bound(x, 0, width).bound(y, 0, height);
        Layer layer(w, x, y);
        layer.width = layer.tile_width = width;
        layer.height = layer.tile_height = height;
        layer.channels = channels;
        layer.in_unroll = in_unroll;
        layer.out_unroll = out_unroll;
        layer.io_rate = io_rate;
        const int last = int(layers) - 1;
        layer.accelerate(ramps[last]);
        hw_input.compute_root().accelerator_input();
        hw_input.in().compute_at(layer.host, layer.xo).store_in(MemoryType::GLB).unroll(z, io_rate);
        for (int k = 0; k <= last; k++) {
            RVar outer("outer"), inner("inner");
            if (k < last) {
                ramps[k].compute_at(layer.host, layer.xo).store_in(MemoryType::GLB)
                    .split(w, layer.wo, layer.wi, out_unroll)
                    .reorder(layer.wi, x, y, layer.wo).unroll(layer.wi, io_rate);
            }
            sums[k].compute_at(ramps[k], layer.wo).reorder(w, x, y).unroll(w, out_unroll);
            sums[k].update().split(r.z, outer, inner, in_unroll)
                .reorder(inner, w, r.x, r.y, x, y, outer).unroll(inner).unroll(w, out_unroll);
            if (share && k == 0) {
                sums[0].update().compute_share_root(x);
            } else if (share) {
                sums[k].update().compute_share(sums[0].update());
            }
            Func words = k ? ramps[k - 1] : hw_input.in();
            words.in(sums[k]).compute_at(sums[k], outer).unroll(k ? w : z, io_rate);
            hw_weights[k].compute_root().accelerator_input();
            hw_weights[k].in().compute_at(layer.host, layer.xo).store_in(MemoryType::GLB).unroll(z, io_rate);
            hw_weights[k].in().in().compute_at(sums[k], outer).unroll(z, io_rate);
        }
    }

private:
    Var w{"w"}, x{"x"}, y{"y"}, z{"z"};
    RDom r;
    Func hw_input{"hw_input"};
    std::vector<Func> hw_weights, sums, ramps;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Network, network)
