#include "Halide.h"
using namespace Halide;
class G : public Generator<G> {
public:
    Input<Buffer<uint16_t, 3>> frames{"frames"};
    Input<Buffer<int16_t, 3>> offsets{"offsets"};
    Output<Buffer<uint16_t, 2>> output{"output"};
    void generate() {
        Var i, j, tile_x, tile_y, x, y;
        Func stacked("stacked");
        Func inside = BoundaryConditions::mirror_interior(
            Func(frames), {Range(0, frames.width()), Range(0, frames.height())});
        RDom k(1, frames.dim(2).extent() - 1);
        Expr from = tile_x * 16 + i + clamp(cast<int>(offsets(tile_x, tile_y, k)), -8, 8);
        stacked(i, j, tile_x, tile_y) = sum(cast<float>(inside(from, tile_y * 16 + j, k)));
        output(x, y) = cast<uint16_t>(stacked(x % 16, y % 16, x / 16, y / 16));
        stacked.compute_root().parallel(tile_y).vectorize(i, 32);
    }
};
HALIDE_REGISTER_GENERATOR(G, g)
