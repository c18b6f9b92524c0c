// What the schedules have in common: each run of the array computes a tile of the output.
#ifndef TILES_H
#define TILES_H

#include "Halide.h"

#include <vector>

struct Tiles {
    Halide::Var x, y;                                   // the variables of all Funcs
    Halide::Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    int width, height, rate;                            // elements of a tile; elements per cycle
    bool glb;                                           // through the global buffer
    Halide::Func output;

    Tiles(Halide::Var x_, Halide::Var y_, int w, int h, int r, bool g)
        : x(x_), y(y_), width(w), height(h), rate(r), glb(g) {}

    // The accelerator ends here: in the global buffer if there is one, and from there to the host.
    void accelerate(Halide::Func f) {
        output = f;
        if (glb) {
            tile(output.in());
            output.in().compute_root().store_in(Halide::MemoryType::GLB).hw_accelerate(xi, xo);
            tile(output);
            output.compute_at(output.in(), xo);
        } else {
            tile(output);
            output.compute_root().hw_accelerate(xi, xo);
        }
    }

    // All planes of each pixel at once, where there are several.
    void accelerate(Halide::Func f, Halide::Var c, int planes) {
        accelerate(f);
        f.bound(c, 0, planes).reorder(c, xi, yi, xo, yo).unroll(c);
        if (glb) {
            f.in().bound(c, 0, planes).reorder(c, xi, yi, xo, yo).unroll(c);
        }
    }

    // Memories after kernels.
    void buffer(const std::vector<Halide::Func> &funcs) {
        for (Halide::Func f : funcs) {
            f.compute_at(output, xo);
            unroll(f);
        }
    }

    // A memory after a kernel that adds what a window of 2 dimensions has, in one cycle.
    void buffer_sum(Halide::Func f, Halide::RDom window) {
        f.update().unroll(window.x).unroll(window.y);
        buffer_sum(f);
    }

    // The same, if the window is unrolled.
    void buffer_sum(Halide::Func f) {
        buffer({f});
        if (rate > 1) {
            f.update().unroll(x, rate, Halide::TailStrategy::RoundUp);
        }
    }

    // Where the accelerator begins: copies in the global buffer and in a memory of the array.
    void stream(Halide::Func f) {
        f.compute_root();
        if (glb) {
            f.accelerator_input();
            unroll(f.in().compute_at(output.in(), xo).store_in(Halide::MemoryType::GLB));
            unroll(f.in().in().compute_at(output, xo));
        } else {
            f.stream_to_accelerator();
            unroll(f.in().compute_at(output, xo));
        }
    }

    void stream(Halide::Func f, Halide::Var c, int planes) {
        stream(f);
        f.bound(c, 0, planes);
        f.in().bound(c, 0, planes).reorder(c, x, y).unroll(c);
        if (glb) {
            f.in().in().bound(c, 0, planes).reorder(c, x, y).unroll(c);
        }
    }

private:
    void tile(Halide::Func f) {
        f.tile(x, y, xo, yo, xi, yi, width, height);
        if (rate > 1) {
            f.unroll(xi, rate, Halide::TailStrategy::RoundUp);
        }
    }

    void unroll(Halide::Func f) {
        if (rate > 1) {
            f.unroll(x, rate, Halide::TailStrategy::RoundUp);
        }
    }
};

#endif
