#include "Halide.h"
using namespace Halide;
void schedule(Func f, Func g, Var x, Var xo, RVar r) {
    f.hw_accelerate(x, xo).linebuffer().fifo_depth(g, 3).compute_share(g).dual_bank();
    f.stream_to_accelerator().stream_to_accelerator({"glb"}).accelerator_input();
    f.update().coarse_grain_loop(x).iteration_order({{"mem", {{x, 4}, {r, 2}}}}).output_rate(2);
    f.accelerate({g}, x, xo).create_memories({g}, LoopLevel::root()).mem_hierarchy({"a", "b"});
    f.get_memory_level("glb").store_in(MemoryType::GLB).prepare_for_software_pipelining(x);
    get_host_target().has_feature(Target::Clockwork);
}
