// The primitives of accelerators, which do nothing here, and names that Halide had when programs for
// accelerators were written; s2s.bench.pipelines.header puts them into Halide's own header.
// part: before class Stage
struct VarExtent {
    std::string var;
    int extent;
    template<typename V> VarExtent(const V &v, int e, bool = false) : var(VarOrRVar(v).name()), extent(e) {}
    VarExtent(const std::string &v, int e, bool = false) : var(v), extent(e) {}
};
struct IterLevel {
    std::string name;
    std::vector<VarExtent> iters;
    IterLevel(const std::string &n, const std::vector<VarExtent> &i) : name(n), iters(i) {}
    IterLevel(const std::vector<VarExtent> &i) : iters(i) {}
    IterLevel() = default;
};

// part: in Func and in Stage, as Owner
    template<typename... Any> Owner &hw_accelerate(Any &&...) { return *this; }
    template<typename... Any> Owner &accelerator_input(Any &&...) { return *this; }
    template<typename... Any> Owner &accelerator_output(Any &&...) { return *this; }
    template<typename... Any> Owner &stream_to_accelerator(Any &&...) { return *this; }
    template<typename... Any> Owner &accelerate_call_output(Any &&...) { return *this; }
    template<typename... Any> Owner &compute_share_root(Any &&...) { return *this; }
    template<typename... Any> Owner &compute_share(Any &&...) { return *this; }
    template<typename... Any> Owner &coarse_grain_loop(Any &&...) { return *this; }
    template<typename... Any> Owner &linebuffer(Any &&...) { return *this; }
    template<typename... Any> Owner &fifo_depth(Any &&...) { return *this; }
    template<typename... Any> Owner &output_rate(Any &&...) { return *this; }
    template<typename... Any> Owner &kernel_buffer(Any &&...) { return *this; }
    template<typename... Any> Owner &dual_bank(Any &&...) { return *this; }
    template<typename... Any> Owner &prepare_for_software_pipelining(Any &&...) { return *this; }
    Owner &iteration_order(const std::vector<IterLevel> &) { return *this; }
    Owner &iteration_order(const std::vector<VarExtent> &) { return *this; }
// part: in Func
    template<typename... Lists> Func &accelerate(const std::vector<Func> &, const Var &, const Var &, const Lists &...) { return *this; }
    Func &accelerate(const std::vector<Func> &, const Var &, const Var &, const std::vector<Func> &) { return *this; }
    Func &stream_to_accelerator(const std::vector<std::string> &) { return *this; }
    Func &stream_to_accelerator(const std::vector<std::string> &, const std::vector<LoopLevel> &) { return *this; }
    template<typename... More> Func &create_memories(const std::vector<Func> &, const More &...) { return *this; }
    Func &mem_hierarchy(const std::vector<std::string> &) { return *this; }
    Func &fill_memories(const std::vector<Func> &) { return *this; }
    Func get_memory_level(const std::string &) { return *this; }
    LoopLevel get_looplevel(const std::string &, const VarOrRVar &, int = -1) { return LoopLevel::root(); }
    template<typename T> Func &prefetch(const T &image, const VarOrRVar &var, int offset = 1) { return prefetch(image, var, var, offset); }
// part: in GeneratorBase
    static constexpr bool auto_schedule = false;
// part: in Dimension
    Dimension set_bounds_estimate(Expr min, Expr extent) { return set_estimate(min, extent); }
