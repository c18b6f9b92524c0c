// The schedule that layers of networks share: outputs stay in the array until all channels are added.
#ifndef LAYERS_H
#define LAYERS_H

#include "Halide.h"

#include <vector>

struct Layer {
    Halide::Var w, x, y;                       // output channel, place
    int width, height, channels;               // of the layer's output
    int tile_width, tile_height, in_unroll, out_unroll;
    int io_rate;                               // elements of each stream in each cycle
    int out_rate = 0;                          // of the output, if that is another number
    Halide::Var xo{"xo"}, yo{"yo"}, wo{"wo"}, xi{"xi"}, yi{"yi"}, wi{"wi"};
    Halide::Func output, host;

    Layer(Halide::Var w_, Halide::Var x_, Halide::Var y_) : w(w_), x(x_), y(y_) {}

    // The whole layer is in the global buffer; each run of the loops over tiles makes a tile of
    // some of the output's channels.
    void accelerate(Halide::Func f) {
        output = f;
        host = f.in();
        const int rate = out_rate > 0 ? out_rate : io_rate;
        host.compute_root().bound(w, 0, channels).tile(x, y, xo, yo, xi, yi, width, height)
            .reorder(w, xi, yi, xo, yo).unroll(w, rate).hw_accelerate(xi, xo);
        output.compute_at(host, xo).store_in(Halide::MemoryType::GLB).align_bounds(x, tile_width)
            .align_bounds(y, tile_height)
            .tile(x, y, xo, yo, xi, yi, tile_width, tile_height, Halide::TailStrategy::RoundUp)
            .split(w, wo, wi, out_unroll).reorder(wi, xi, yi, wo, xo, yo).unroll(wi, rate);
    }

    // A sum over input channels: `in_unroll` x `out_unroll` products in a cycle, inside of the given
    // loops (innermost first). Gives the loop over groups of input channels, around them.
    Halide::RVar accumulate(Halide::Func sum, Halide::RVar in, std::vector<Halide::VarOrRVar> loops) {
        Halide::RVar outer("outer"), inner("inner");
        sum.compute_at(output, wo).reorder(w, x, y).unroll(w, out_unroll);
        loops.insert(loops.begin(), {inner, w});
        loops.push_back(outer);
        sum.update().split(in, outer, inner, in_unroll).reorder(loops).unroll(inner)
            .unroll(w, out_unroll);
        return outer;
    }

    // Copies in the global buffer and in a memory of the array.
    void stream(Halide::Func f, Halide::LoopLevel place, Halide::Var innermost) {
        f.compute_root().accelerator_input();
        f.in().compute_at(host, xo).store_in(Halide::MemoryType::GLB).unroll(innermost, io_rate);
        f.in().in().compute_at(place).unroll(innermost, io_rate);
    }
};

#endif
