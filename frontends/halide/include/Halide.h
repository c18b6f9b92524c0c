// The declarations of Halide's documented interface, for the parser only: nothing here has a
// body, because s2s evaluates programs over their syntax tree. A program that this header
// accepts also compiles with the real Halide.h (hardware primitives need the latter's extension).
#ifndef S2S_HALIDE_H
#define S2S_HALIDE_H

#include "s2s_std.h"

struct halide_buffer_t;
struct halide_type_t {
    uint8_t code, bits;
    uint16_t lanes;
};
enum halide_type_code_t { halide_type_int, halide_type_uint, halide_type_float, halide_type_handle, halide_type_bfloat };

namespace Halide {

class Expr; class Func; class FuncRef; class FuncTupleElementRef; class Stage; class Var; class RVar; class RDom;
class Tuple; class Pipeline; class ImageParam; class OutputImageParam; struct Range; struct Target;
template<typename T = void, int D = -1> class Buffer;
template<typename T> class GeneratorInput;
template<typename T> class GeneratorOutput;

template<typename T> struct S2SType {};  // a default argument that shows the parser a template's argument
template<typename T> struct S2SNotVoid { using type = T; }; template<> struct S2SNotVoid<void> { using type = char; };

struct float16_t { float16_t(); explicit float16_t(float); explicit float16_t(double); explicit float16_t(int); explicit operator float() const; };
struct bfloat16_t {
    bfloat16_t(); explicit bfloat16_t(float); explicit bfloat16_t(double); explicit bfloat16_t(int);
    explicit operator float() const; static bfloat16_t make_from_bits(uint16_t);
};

struct Type {
    using code_t = halide_type_code_t;
    static const code_t Int = halide_type_int, UInt = halide_type_uint, Float = halide_type_float, BFloat = halide_type_bfloat, Handle = halide_type_handle;
    Type(); Type(halide_type_code_t, int bits, int lanes);
    int bits() const; int bytes() const; int lanes() const; halide_type_code_t code() const;
    bool is_bool() const; bool is_float() const; bool is_bfloat() const; bool is_int() const; bool is_uint() const; bool is_int_or_uint() const;
    bool is_handle() const; bool is_scalar() const; bool is_vector() const;
    bool can_represent(Type) const; bool can_represent(int64_t) const; bool can_represent(double) const; bool is_max(int64_t) const; bool is_min(int64_t) const;
    Type with_bits(int) const; Type with_code(halide_type_code_t) const; Type with_lanes(int) const; Type element_of() const; Type widen() const; Type narrow() const;
    bool operator==(const Type &) const; bool operator!=(const Type &) const; bool operator<(const Type &) const;
    Expr max() const; Expr min() const;
};
Type Int(int bits, int lanes = 1); Type UInt(int bits, int lanes = 1); Type Float(int bits, int lanes = 1);
Type BFloat(int bits, int lanes = 1); Type Bool(int lanes = 1); Type Handle(int lanes = 1);
template<typename T> Type type_of();

class Expr {
public:
    Expr();
    explicit Expr(int8_t); explicit Expr(uint8_t); explicit Expr(int16_t); explicit Expr(uint16_t);
    Expr(int32_t); explicit Expr(uint32_t); explicit Expr(int64_t); explicit Expr(uint64_t);
    Expr(float16_t); Expr(bfloat16_t); Expr(float); explicit Expr(double); Expr(const std::string &);
    Type type() const; bool defined() const; bool same_as(const Expr &) const;
};
struct ExprCompare { bool operator()(const Expr &, const Expr &) const; };

#define S2S_OPERATOR(R, op) R operator op(Expr, Expr); R operator op(Expr, int); R operator op(int, Expr); R operator op(Expr, float); R operator op(float, Expr);
S2S_OPERATOR(Expr, +) S2S_OPERATOR(Expr, -) S2S_OPERATOR(Expr, *) S2S_OPERATOR(Expr, /) S2S_OPERATOR(Expr, %)
S2S_OPERATOR(Expr, <) S2S_OPERATOR(Expr, <=) S2S_OPERATOR(Expr, >) S2S_OPERATOR(Expr, >=) S2S_OPERATOR(Expr, ==) S2S_OPERATOR(Expr, !=)
#undef S2S_OPERATOR
Expr operator-(Expr); Expr operator!(Expr); Expr operator~(Expr);
Expr operator&&(Expr, Expr); Expr operator&&(Expr, bool); Expr operator&&(bool, Expr);
Expr operator||(Expr, Expr); Expr operator||(Expr, bool); Expr operator||(bool, Expr);
Expr operator&(Expr, Expr); Expr operator&(Expr, int); Expr operator&(int, Expr);
Expr operator|(Expr, Expr); Expr operator|(Expr, int); Expr operator|(int, Expr);
Expr operator^(Expr, Expr); Expr operator^(Expr, int); Expr operator^(int, Expr);
Expr operator<<(Expr, Expr); Expr operator<<(Expr, int); Expr operator>>(Expr, Expr); Expr operator>>(Expr, int);
Expr &operator+=(Expr &, Expr); Expr &operator-=(Expr &, Expr); Expr &operator*=(Expr &, Expr); Expr &operator/=(Expr &, Expr);
std::ostream &operator<<(std::ostream &, const Expr &); std::ostream &operator<<(std::ostream &, const Type &); std::ostream &operator<<(std::ostream &, const Var &);
std::ostream &operator<<(std::ostream &, const RVar &); std::ostream &operator<<(std::ostream &, const RDom &); std::ostream &operator<<(std::ostream &, const Func &);

struct Range { Range(); Range(const Expr &, const Expr &); Expr min, extent; };
using Region = std::vector<Range>;

class Tuple {
public:
    Tuple(const FuncRef &); explicit Tuple(const std::vector<Expr> &); Tuple(std::initializer_list<Expr>);
    explicit Tuple(Expr);
    template<typename... A> Tuple(const Expr &, const Expr &, A &&...);
    size_t size() const; Expr &operator[](size_t); const Expr &operator[](size_t) const; const std::vector<Expr> &as_vector() const;
};

class Var {
public:
    Var(); Var(const std::string &); Var(const char *);
    const std::string &name() const; bool same_as(const Var &) const; operator const Expr &() const;
    static Var implicit(int); static Var outermost(); static Var gpu_blocks(); static Var gpu_threads(); bool is_implicit() const;
};
class RVar {
public:
    RVar(); explicit RVar(const std::string &);
    Expr min() const; Expr extent() const; const std::string &name() const; operator Expr() const;
};
struct VarOrRVar {
    VarOrRVar(const std::string &, bool); VarOrRVar(const Var &); VarOrRVar(const RVar &); VarOrRVar(const RDom &);
    const std::string &name() const; Var var; RVar rvar; bool is_rvar;
};
class RDom {
public:
    RDom(); RDom(const Region &, std::string = ""); RDom(const Buffer<> &); RDom(const OutputImageParam &);
    RDom(std::initializer_list<Range>, std::string = "");
    template<typename... A> RDom(const Expr &, const Expr &, A &&...);
    template<typename T, int D> RDom(const Buffer<T, D> &);
    template<typename T> RDom(const GeneratorInput<T> &);
    bool defined() const; bool same_as(const RDom &) const; int dimensions() const; RVar operator[](int) const; operator RVar() const; operator Expr() const;
    void where(Expr); RVar x, y, z, w;
};

namespace { Var _("_"), _0("_0"), _1("_1"), _2("_2"), _3("_3"), _4("_4"), _5("_5"), _6("_6"), _7("_7"), _8("_8"), _9("_9"); }

enum class TailStrategy { RoundUp, GuardWithIf, Predicate, PredicateLoads, PredicateStores, ShiftInwards, ShiftInwardsAndBlend, RoundUpAndBlend, Auto };
enum class LoopAlignStrategy { AlignStart, AlignEnd, NoAlign, Auto };
enum class PrefetchBoundStrategy { Clamp, GuardWithIf, NonFaulting };
enum class MemoryType { Auto, Heap, Stack, Register, GPUShared, GPUTexture, LockedCache, VTCM, AMXTile, ROM, GLB };
enum class DeviceAPI { None, Host, Default_GPU, CUDA, OpenCL, Metal, Hexagon, HexagonDma, D3D12Compute, Vulkan, WebGPU };
enum class Partition { Auto, Never, Always };
enum class NameMangling { Default, C, CPlusPlus };
enum StmtOutputFormat { Text, HTML };

class LoopLevel {
public:
    LoopLevel(); LoopLevel(const Func &, const VarOrRVar &, int = -1); LoopLevel(const Stage &, const VarOrRVar &);
    static LoopLevel inlined(); static LoopLevel root(); void set(const LoopLevel &);
};
struct VarExtent { VarOrRVar var; int extent; bool unrolled; VarExtent(const VarOrRVar &, int, bool = false); };
struct IterLevel {
    std::string name; std::vector<VarExtent> iters;
    IterLevel(std::string, std::vector<VarExtent>);
};

// The directives that a Func and its update definitions share, each giving back its own class.
template<typename Self> class Directives {
public:
    Self &split(const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const Expr &, TailStrategy = TailStrategy::Auto);
    Self &fuse(const VarOrRVar &, const VarOrRVar &, const VarOrRVar &);
    Self &serial(const VarOrRVar &); Self &parallel(const VarOrRVar &); Self &parallel(const VarOrRVar &, const Expr &, TailStrategy = TailStrategy::Auto);
    Self &vectorize(const VarOrRVar &); Self &vectorize(const VarOrRVar &, const Expr &, TailStrategy = TailStrategy::Auto);
    Self &unroll(const VarOrRVar &); Self &unroll(const VarOrRVar &, const Expr &, TailStrategy = TailStrategy::Auto);
    Self &tile(const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const Expr &, const Expr &, TailStrategy = TailStrategy::Auto);
    Self &tile(const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const Expr &, const Expr &, TailStrategy = TailStrategy::Auto);
    Self &tile(const std::vector<VarOrRVar> &, const std::vector<VarOrRVar> &, const std::vector<VarOrRVar> &, const std::vector<Expr> &, TailStrategy = TailStrategy::Auto);
    Self &tile(const std::vector<VarOrRVar> &, const std::vector<VarOrRVar> &, const std::vector<VarOrRVar> &, const std::vector<Expr> &, const std::vector<TailStrategy> &);
    Self &tile(const std::vector<VarOrRVar> &, const std::vector<VarOrRVar> &, const std::vector<Expr> &, TailStrategy = TailStrategy::Auto);
    Self &reorder(const std::vector<VarOrRVar> &);
    template<typename... A> Self &reorder(const VarOrRVar &, const VarOrRVar &, A &&...);
    template<typename... A> Self &never_partition(const VarOrRVar &, A &&...);
    template<typename... A> Self &always_partition(const VarOrRVar &, A &&...);
    Self &never_partition_all(); Self &always_partition_all(); Self &partition(const VarOrRVar &, Partition);
    Self &rename(const VarOrRVar &, const VarOrRVar &);
    Stage specialize(const Expr &); void specialize_fail(const std::string &);
    Self &allow_race_conditions(); Self &atomic(bool = false); Self &unscheduled();
    Self &compute_with(LoopLevel, const std::vector<std::pair<VarOrRVar, LoopAlignStrategy>> &);
    Self &compute_with(LoopLevel, LoopAlignStrategy = LoopAlignStrategy::Auto);
    Self &compute_with(const Stage &, const VarOrRVar &, LoopAlignStrategy = LoopAlignStrategy::Auto); Self &compute_with(const Stage &, const VarOrRVar &, const std::vector<std::pair<VarOrRVar, LoopAlignStrategy>> &);
    Self &prefetch(const Func &, const VarOrRVar &, const VarOrRVar &, Expr = 1, PrefetchBoundStrategy = PrefetchBoundStrategy::GuardWithIf);
    template<typename T> Self &prefetch(const T &, const VarOrRVar &, const VarOrRVar &, Expr = 1, PrefetchBoundStrategy = PrefetchBoundStrategy::GuardWithIf);
    template<typename T> Self &prefetch(const T &, VarOrRVar, int = 1);
    Self &hexagon(const VarOrRVar & = Var::outermost()); Self &prepare_for_software_pipelining(const VarOrRVar &);
    Self &gpu_threads(const VarOrRVar &, DeviceAPI = DeviceAPI::Default_GPU); Self &gpu_threads(const VarOrRVar &, const VarOrRVar &, DeviceAPI = DeviceAPI::Default_GPU);
    Self &gpu_threads(const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, DeviceAPI = DeviceAPI::Default_GPU);
    Self &gpu_lanes(const VarOrRVar &, DeviceAPI = DeviceAPI::Default_GPU); Self &gpu_single_thread(DeviceAPI = DeviceAPI::Default_GPU);
    Self &gpu_blocks(const VarOrRVar &, DeviceAPI = DeviceAPI::Default_GPU); Self &gpu_blocks(const VarOrRVar &, const VarOrRVar &, DeviceAPI = DeviceAPI::Default_GPU);
    Self &gpu_blocks(const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, DeviceAPI = DeviceAPI::Default_GPU);
    Self &gpu(const VarOrRVar &, const VarOrRVar &, DeviceAPI = DeviceAPI::Default_GPU);
    Self &gpu(const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, DeviceAPI = DeviceAPI::Default_GPU);
    Self &gpu_tile(const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const Expr &, TailStrategy = TailStrategy::Auto, DeviceAPI = DeviceAPI::Default_GPU);
    Self &gpu_tile(const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const Expr &, const Expr &, TailStrategy = TailStrategy::Auto, DeviceAPI = DeviceAPI::Default_GPU);
    Self &gpu_tile(const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const Expr &, const Expr &, TailStrategy = TailStrategy::Auto, DeviceAPI = DeviceAPI::Default_GPU);
    Self &gpu_tile(const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, const Expr &, const Expr &, const Expr &, TailStrategy = TailStrategy::Auto, DeviceAPI = DeviceAPI::Default_GPU);
    template<typename... A> Self &gpu_tile(const VarOrRVar &, A &&...); template<typename... A> Self &gpu_threads(const VarOrRVar &, const VarOrRVar &, const VarOrRVar &, A &&...);
    // Hardware primitives.
    Self &coarse_grain_loop(Var); Self &iteration_order(std::vector<VarExtent>);
    Self &compute_share_root(Var); Self &compute_share(const Stage &);
};

class Stage : public Directives<Stage> {
public:
    Stage(); std::string name() const;
    Func rfactor(const RVar &, const Var &); Func rfactor(const std::vector<std::pair<RVar, Var>> &);
    std::string dump_argument_list() const;
};

class FuncTupleElementRef {
public:
    Stage operator=(const Expr &); Stage operator=(const FuncRef &);
    Stage operator+=(const Expr &); Stage operator-=(const Expr &); Stage operator*=(const Expr &); Stage operator/=(const Expr &);
    operator Expr() const; int index() const;
};
class FuncRef {
public:
    Stage operator=(const Expr &); Stage operator=(const Tuple &); Stage operator=(const FuncRef &);
    Stage operator+=(const Expr &); Stage operator+=(const Tuple &); Stage operator+=(const FuncRef &);
    Stage operator-=(const Expr &); Stage operator-=(const Tuple &); Stage operator-=(const FuncRef &);
    Stage operator*=(const Expr &); Stage operator*=(const Tuple &); Stage operator*=(const FuncRef &);
    Stage operator/=(const Expr &); Stage operator/=(const Tuple &); Stage operator/=(const FuncRef &);
    operator Expr() const; FuncTupleElementRef operator[](int) const; size_t size() const; Func function() const;
};

class Dimension {
public:
    Expr min() const; Expr extent() const; Expr max() const; Expr stride() const; Expr min_estimate() const; Expr extent_estimate() const;
    Dimension set_min(Expr); Dimension set_extent(Expr); Dimension set_stride(Expr); Dimension set_bounds(Expr, Expr);
    Dimension set_estimate(Expr, Expr); Dimension set_bounds_estimate(Expr, Expr); Dimension dim(int) const;
};
struct BufferDimension { int min() const; int extent() const; int max() const; int stride() const; int begin() const; int end() const; };

struct RealizationArg;
struct Target {
    enum OS { OSUnknown, Linux, Windows, OSX, Android, IOS, QuRT, NoOS, Fuchsia, WebAssemblyRuntime } os;
    enum Arch { ArchUnknown, X86, ARM, POWERPC, Hexagon, WebAssembly, RISCV, MIPS } arch;
    enum Processor { ProcessorGeneric } processor_tune;
    int bits;
    enum Feature {
        JIT, Debug, NoAsserts, NoBoundsQuery, SSE41, AVX, AVX2, FMA, FMA4, F16C, ARMv7s, NoNEON, VSX, POWER_ARCH_2_07, CUDA, CUDACapability30,
        CUDACapability32, CUDACapability35, CUDACapability50, CUDACapability61, CUDACapability70, CUDACapability75, CUDACapability80, CUDACapability86,
        OpenCL, CLDoubles, CLHalf, CLAtomics64, OpenGL, OpenGLCompute, UserContext, Profile, ProfileByTimer, NoRuntime, Metal, CPlusPlusMangling, LargeBuffers, HexagonDma,
        HVX, HVX_64, HVX_128, HVX_v62, HVX_v65, HVX_v66, HVX_v68, FuzzFloatStores, SoftFloatABI, MSAN, AVX512, AVX512_KNL, AVX512_Skylake, AVX512_Cannonlake, AVX512_SapphireRapids, AVX512_Zen4, AVX512_Zen5,
        TraceLoads, TraceStores, TraceRealizations, TracePipeline, D3D12Compute, StrictFloat, TSAN, ASAN, CheckUnsafePromises, EmbedBitcode,
        EnableLLVMLoopOpt, WasmSimd128, WasmThreads, WasmBulkMemory, SVE, SVE2, ARMDotProd, ARMFp16, LLVMLargeCodeModel, RVV, ARMv81a, SanitizerCoverage, Vulkan, WebGPU, NoPartitionLoops,
        Clockwork, CoreIR, CoreIRValid, CoreIRHLS, HLS, FeatureEnd
    };
    Target(); Target(OS, Arch, int, const std::vector<Feature> & = std::vector<Feature>()); explicit Target(const std::string &);
    bool has_feature(Feature) const; bool has_gpu_feature() const; bool features_all_of(const std::vector<Feature> &) const; bool features_any_of(const std::vector<Feature> &) const;
    void set_feature(Feature, bool = true); void set_features(const std::vector<Feature> &, bool = true);
    Target with_feature(Feature) const; Target without_feature(Feature) const; std::string to_string() const;
    int natural_vector_size(const Type &) const; template<typename T> int natural_vector_size(S2SType<T> = {}) const;
    bool supports_type(const Type &) const; DeviceAPI get_required_device_api() const; int vector_bits; bool operator==(const Target &) const;
    bool supports_device_api(DeviceAPI) const;
};
Target get_host_target(); Target get_target_from_environment(); Target get_jit_target_from_environment(); bool host_supports_target_device(const Target &);
DeviceAPI get_default_device_api_for_target(const Target &);

class Realization {
public:
    template<typename T, int D> operator Buffer<T, D>() const; Buffer<> &operator[](size_t); size_t size() const;
    template<typename... A> Realization(A &&...);
};
struct RealizationArg { template<typename T, typename U, typename... A, typename = std::enable_if_t<!std::is_arithmetic<std::decay_t<T>>::value>> RealizationArg(T &&, U &&, A &&...); };
struct Argument { template<typename T> Argument(const T &); Argument(); };
struct ExternFuncArgument { template<typename T> ExternFuncArgument(const T &); };
struct Callable { template<typename... A> int operator()(A &&...) const; };
struct Module { void compile(const std::map<int, std::string> &) const; };
struct CompilerLogger;
struct OutputFileType_; enum class OutputFileType { assembly, bitcode, c_header, c_source, object, static_library, stmt, stmt_html, schedule, registration };
struct AutoSchedulerResults { std::string schedule_source; };
struct AutoschedulerParams { AutoschedulerParams(); AutoschedulerParams(const std::string &, const std::map<std::string, std::string> &); AutoschedulerParams(const std::string &); };
struct MachineParams { MachineParams(int, int, int); static MachineParams generic(); };

#define S2S_COMPILE \
    Realization realize(std::vector<int32_t> = {}, const Target & = Target()); \
    template<typename A> void realize(A &&, const Target & = Target()); void realize(RealizationArg, const Target & = Target()); \
    Callable compile_to_callable(const std::vector<Argument> &, const Target & = Target()); \
    void compile_jit(const Target & = Target()); void infer_input_bounds(const std::vector<int32_t> &, const Target & = Target()); \
    template<typename A> void infer_input_bounds(A &&, const Target & = Target()); \
    void compile_to_file(const std::string &, const std::vector<Argument> &, const std::string & = "", const Target & = Target()); \
    void compile_to_static_library(const std::string &, const std::vector<Argument> &, const std::string & = "", const Target & = Target()); \
    void compile_to_object(const std::string &, const std::vector<Argument> &, const std::string & = "", const Target & = Target()); \
    void compile_to_header(const std::string &, const std::vector<Argument> &, const std::string & = "", const Target & = Target()); \
    void compile_to_c(const std::string &, const std::vector<Argument> &, const std::string & = "", const Target & = Target()); \
    void compile_to_bitcode(const std::string &, const std::vector<Argument> &, const std::string & = "", const Target & = Target()); \
    void compile_to_assembly(const std::string &, const std::vector<Argument> &, const std::string & = "", const Target & = Target()); \
    void compile_to_llvm_assembly(const std::string &, const std::vector<Argument> &, const std::string & = "", const Target & = Target()); \
    void compile_to_lowered_stmt(const std::string &, const std::vector<Argument> &, StmtOutputFormat = Text, const Target & = Target()); \
    void compile_to_multitarget_static_library(const std::string &, const std::vector<Argument> &, const std::vector<Target> &); \
    void print_loop_nest(); std::vector<Argument> infer_arguments() const;

class Func : public Directives<Func> {
public:
    Func(); explicit Func(const std::string &); explicit Func(const Type &, int, const std::string &); explicit Func(const std::vector<Type> &, int, const std::string &);
    explicit Func(const Expr &); template<typename T, int D> explicit Func(const Buffer<T, D> &); Func(const ImageParam &);
    template<typename T> Func(const GeneratorInput<T> &); template<typename T> Func(const GeneratorOutput<T> &);
    const std::string &name() const; std::vector<Var> args() const; int dimensions() const; int outputs() const; const Type &type() const; const std::vector<Type> &types() const;
    bool defined() const; Expr value() const; Tuple values() const; bool has_update_definition() const; bool has_pure_definition() const; int num_update_definitions() const; Expr update_value(int = 0) const; const std::vector<Expr> update_args(int = 0) const;
    bool is_extern() const; bool has_extern_definition() const; const std::string &extern_function_name() const;
    template<typename... A> FuncRef operator()(A &&...) const;
    FuncRef operator()(std::vector<Var>) const; FuncRef operator()(std::vector<Expr>) const;
    operator Stage() const; Stage update(int = 0);
    Func in(const Func &); Func in(const std::vector<Func> &); Func in(); Func clone_in(const Func &); Func clone_in(const std::vector<Func> &); Func copy_to_device(DeviceAPI = DeviceAPI::Default_GPU); Func copy_to_host();
    Func &bound(const Var &, Expr, Expr); Func &bound_extent(const Var &, Expr); Func &align_bounds(const Var &, Expr, Expr = 0); Func &align_extent(const Var &, Expr);
    Func &bound_storage(const Var &, const Expr &); Func &set_estimate(const Var &, const Expr &, const Expr &); Func &set_estimates(const Region &); Func &estimate(const Var &, Expr, Expr);
    Func &align_storage(const Var &, const Expr &); Func &fold_storage(const Var &, const Expr &, bool = true);
    Func &reorder_storage(const std::vector<Var> &); template<typename... A> Func &reorder_storage(const Var &, const Var &, A &&...);
    Func &compute_at(const Func &, const Var &); Func &compute_at(const Func &, const RVar &); Func &compute_at(LoopLevel); Func &compute_root(); Func &compute_inline();
    Func &store_at(const Func &, const Var &); Func &store_at(const Func &, const RVar &); Func &store_at(LoopLevel); Func &store_root();
    Func &hoist_storage(const Func &, const Var &); Func &hoist_storage(const Func &, const RVar &); Func &hoist_storage(LoopLevel); Func &hoist_storage_root();
    Func &store_in(MemoryType); Func &memoize(); Func &async(); Func &ring_buffer(const Expr &); Func &no_profiling();
    Func &trace_loads(); Func &trace_stores(); Func &trace_realizations(); Func &add_trace_tag(const std::string &);
    void define_extern(const std::string &, const std::vector<ExternFuncArgument> &, Type, int, NameMangling = NameMangling::Default, DeviceAPI = DeviceAPI::Host); void define_extern(const std::string &, const std::vector<ExternFuncArgument> &, const std::vector<Type> &, int, NameMangling = NameMangling::Default, DeviceAPI = DeviceAPI::Host); template<typename... A> void define_extern(const std::string &, const std::vector<ExternFuncArgument> &, Type, const std::vector<Var> &, A &&...); template<typename... A> void define_extern(const std::string &, const std::vector<ExternFuncArgument> &, const std::vector<Type> &, const std::vector<Var> &, A &&...); void debug_to_file(const std::string &);
    OutputImageParam output_buffer() const; std::vector<OutputImageParam> output_buffers() const; Func &rename_func(const std::string &); void set_custom_print(void (*)(void *, const char *)); template<typename T> void set_custom_trace(T);
    template<typename T> void set_custom_allocator(T, T); template<typename T> void set_error_handler(T); template<typename T> void set_custom_do_par_for(T); template<typename T> void set_custom_do_task(T);
    template<typename T> void add_custom_lowering_pass(T *);
    S2S_COMPILE
    // Hardware primitives.
    using Directives<Func>::iteration_order; Func &iteration_order(std::vector<IterLevel>);
    Func &hw_accelerate(Var, Var); Func &hw_accelerate(Var); Func &accelerator_input(); Func &accelerator_output(); Func &accelerator_output(Var); Func &accelerate_call_output(Var); Func &output_rate(int); Func &accelerate(std::vector<Func>, Var, Var, std::vector<Func> = {});
    Func &stream_to_accelerator(); Func &stream_to_accelerator(std::vector<std::string>); Func &stream_to_accelerator(std::vector<std::string>, std::vector<LoopLevel>);
    using Directives<Func>::compute_share; Func &compute_share(const Func &); Func &linebuffer(); Func &fifo_depth(const Func &, int); Func &fifo_depth(int);
    Func &create_memories(std::vector<Func>, LoopLevel); Func &create_memories(std::vector<Func>, LoopLevel, VarOrRVar, int); Func &create_memories(std::vector<Func>);
    Func get_memory_level(std::string); LoopLevel get_looplevel(std::string, VarOrRVar); LoopLevel get_looplevel(std::string, VarOrRVar, int); LoopLevel get_looplevel(VarOrRVar, int); Func in(std::string);
    Func &mem_hierarchy(std::vector<std::string>); Func &fill_memories(std::vector<Func>); Func &kernel_buffer(const Func &); Func &dual_bank();
};

class Pipeline {
public:
    Pipeline(); Pipeline(const Func &); Pipeline(const std::vector<Func> &);
    std::vector<Func> outputs() const; Func get_func(size_t); void add_requirement(const Expr &, const std::vector<Expr> & = {}); template<typename... A> void add_requirement(const Expr &, A &&...);
    AutoSchedulerResults apply_autoscheduler(const Target &, const AutoschedulerParams &) const; std::string auto_schedule(const Target &); template<typename T> std::string auto_schedule(const std::string &, const Target &, const T &); template<typename T> void auto_schedule(const Target &, const T &);
    std::map<std::string, std::string> m; bool defined() const;
    S2S_COMPILE
};
void load_plugin(const std::string &);

class OutputImageParam {
public:
    const std::string &name() const; Type type() const; int dimensions() const; Dimension dim(int) const; bool defined() const;
    Expr left() const; Expr right() const; Expr top() const; Expr bottom() const; Expr width() const; Expr height() const; Expr channels() const;
    int host_alignment() const; OutputImageParam &set_host_alignment(int); OutputImageParam &set_estimates(const Region &); OutputImageParam &store_in(MemoryType);
    OutputImageParam &set_min(int, Expr); OutputImageParam &set_stride(int, Expr); OutputImageParam &set_bounds(int, Expr, Expr); OutputImageParam &set_extent(int, Expr);
};
class ImageParam : public OutputImageParam {
public:
    ImageParam(); ImageParam(Type, int); ImageParam(Type, int, const std::string &);
    template<typename... A> Expr operator()(A &&...) const; Expr operator()(std::vector<Expr>) const; Expr operator()(std::vector<Var>) const;
    template<typename T, int D> void set(const Buffer<T, D> &); void reset(); Func in(const Func &); Func in(const std::vector<Func> &); Func in(); operator Func() const; Buffer<> get() const; void trace_loads(); ImageParam &add_trace_tag(const std::string &);
};
template<typename T = void> class Param {
public:
    Param(); explicit Param(T); explicit Param(const std::string &); explicit Param(const char *); Param(const std::string &, T); Param(T, Expr, Expr); Param(const std::string &, T, Expr, Expr);
    template<typename V> explicit Param(Type, const V &);
    const std::string &name() const; void set(const T &); void set_range(const Expr &, const Expr &); void set_min_value(Expr); void set_max_value(Expr); void set_estimate(const T &); Type type() const;
    operator Expr() const; T get() const; operator ExternFuncArgument() const;
};

template<typename T, int D> class Buffer {
public:
    Buffer(); explicit Buffer(Type, const std::vector<int> &, const std::string & = ""); explicit Buffer(const std::vector<int> &, const std::string & = ""); explicit Buffer(const std::string &);
    template<typename... A> explicit Buffer(Type, int, A &&...); template<typename... A> explicit Buffer(int, A &&...);
    template<typename E, typename... A> explicit Buffer(E *, int, A &&...); template<typename E, int N> explicit Buffer(E (&)[N]); template<typename E, int N, int M> explicit Buffer(E (&)[N][M]);
    template<typename U, int E> Buffer(const Buffer<U, E> &); template<typename R, typename = decltype(((R *)nullptr)->s2s_is_image)> Buffer(const R &);
    Buffer(Realization); explicit Buffer(halide_buffer_t *, const std::string & = "");
    static Buffer<T, D> make_interleaved(int, int, int); static Buffer<T, D> make_scalar(); static Buffer<T, D> make_scalar(const std::string &);
    template<typename... A> typename S2SNotVoid<T>::type &operator()(int, A...) const; typename S2SNotVoid<T>::type &operator()() const; template<typename... A> Expr operator()(const Expr &, A...) const; template<typename... A> Expr operator()(const Var &, A...) const; Expr operator()(const std::vector<Expr> &) const; Expr operator()(const std::vector<Var> &) const;
    BufferDimension dim(int) const; int width() const; int height() const; int channels() const; int dimensions() const; int extent(int) const; int min(int) const; int stride(int) const;
    int left() const; int right() const; int top() const; int bottom() const; size_t number_of_elements() const; size_t size_in_bytes() const; Type type() const; const std::string &name() const; bool defined() const;
    void set_min(std::vector<int>); template<typename... A> void set_min(int, A...); void translate(int, int); void translate(const std::vector<int> &); void transpose(int, int); Buffer &fill(typename S2SNotVoid<T>::type); template<typename F> Buffer &for_each_element(F &&); template<typename F> Buffer &for_each_value(F &&); T *data() const; T *begin() const; T *end() const; void copy_from(const Buffer &);
    Buffer copy() const; void set_host_dirty(bool = true); void copy_to_host(); void copy_to_device(const Target &); void set_name(const std::string &); Buffer cropped(int, int, int) const; Buffer cropped(const std::vector<std::pair<int, int>> &) const; Buffer transposed(int, int) const; Buffer translated(int, int) const; Buffer sliced(int, int = 0) const; Buffer embedded(int, int = 0) const; void crop(int, int, int); template<typename U> Buffer<U> as() const; Buffer<const T> as_const() const;
    void add_dimension(); void device_sync(); void device_free(); operator Realization() const; operator Argument() const; halide_buffer_t *raw_buffer() const; bool contains(const std::vector<int> &) const; template<typename U, int E> void allocate(); void allocate();
};

#define S2S_UNARY(name) Expr name(Expr);
S2S_UNARY(sin) S2S_UNARY(cos) S2S_UNARY(tan) S2S_UNARY(asin) S2S_UNARY(acos) S2S_UNARY(atan) S2S_UNARY(sinh) S2S_UNARY(cosh) S2S_UNARY(tanh) S2S_UNARY(asinh)
S2S_UNARY(acosh) S2S_UNARY(atanh) S2S_UNARY(sqrt) S2S_UNARY(exp) S2S_UNARY(log) S2S_UNARY(erf) S2S_UNARY(floor) S2S_UNARY(ceil) S2S_UNARY(round) S2S_UNARY(trunc)
S2S_UNARY(fract) S2S_UNARY(is_nan) S2S_UNARY(is_inf) S2S_UNARY(is_finite) S2S_UNARY(fast_exp) S2S_UNARY(fast_log) S2S_UNARY(fast_sin) S2S_UNARY(fast_cos) S2S_UNARY(fast_tan) S2S_UNARY(fast_tanh) S2S_UNARY(fast_asin) S2S_UNARY(fast_acos)
S2S_UNARY(fast_inverse) S2S_UNARY(fast_inverse_sqrt) S2S_UNARY(popcount) S2S_UNARY(count_leading_zeros) S2S_UNARY(count_trailing_zeros) S2S_UNARY(likely) S2S_UNARY(likely_if_innermost)
S2S_UNARY(strict_float) S2S_UNARY(abs)
#undef S2S_UNARY
Expr atan2(Expr, Expr); Expr fast_atan(Expr); Expr fast_atan2(Expr, Expr); Expr pow(Expr, Expr); Expr fast_pow(Expr, Expr); Expr hypot(const Expr &, const Expr &); Expr absd(Expr, Expr); Expr fma(const Expr &, const Expr &, const Expr &);
Expr clamp(Expr, const Expr &, const Expr &); Expr lerp(Expr, Expr, Expr); Expr div_round_to_zero(Expr, Expr); Expr mod_round_to_zero(Expr, Expr);
Expr min(Expr, Expr); Expr min(Expr, int); Expr min(int, Expr); Expr min(float, Expr); Expr min(Expr, float);
Expr max(Expr, Expr); Expr max(Expr, int); Expr max(int, Expr); Expr max(float, Expr); Expr max(Expr, float);
template<typename C, typename... A> Expr min(Expr, Expr, C &&, A &&...); template<typename C, typename... A> Expr max(Expr, Expr, C &&, A &&...);
template<typename T> Expr cast(Expr); Expr cast(Type, Expr); template<typename T> Expr saturating_cast(Expr); Expr saturating_cast(Type, Expr);
template<typename T> Expr reinterpret(Expr); Expr reinterpret(Type, Expr); template<typename T> Expr undef(); Expr undef(Type); Expr unreachable(Type = Int(32));
Expr extract_bits(Type, const Expr &, const Expr &); template<typename T> Expr extract_bits(const Expr &, const Expr &); Expr concat_bits(const std::vector<Expr> &);
Expr select(Expr, Expr, Expr); Expr select(const Expr &, const FuncRef &, const FuncRef &); Tuple select(const Tuple &, const Tuple &, const Tuple &); Tuple select(const Expr &, const Tuple &, const Tuple &);
template<typename... A> Expr select(Expr, Expr, Expr, Expr, A &&...); template<typename... A> Tuple tuple_select(const A &...);
template<typename... A> Tuple select(const Expr &, const Tuple &, const Expr &, const Tuple &, A &&...);
template<typename... A> Expr select(const Expr &, const FuncRef &, const Expr &, const FuncRef &, A &&...);
Expr fast_integer_divide(Expr, Expr); Expr fast_integer_modulo(Expr, Expr);
Expr mux(const Expr &, const std::vector<Expr> &); Expr mux(const Expr &, const Tuple &); Expr mux(const Expr &, const std::initializer_list<Expr> &); Tuple mux(const Expr &, const std::vector<Tuple> &);
Expr print(const std::vector<Expr> &); template<typename... A> Expr print(Expr, A &&...); template<typename... A> Expr print_when(Expr, Expr, A &&...); template<typename... A> Expr require(Expr, Expr, A &&...); template<typename... A> Expr memoize_tag(Expr, A &&...);
Expr random_float(Expr = Expr()); Expr random_uint(Expr = Expr()); Expr random_int(Expr = Expr()); Expr unsafe_promise_clamped(const Expr &, const Expr &, const Expr &); Expr promise_clamped(const Expr &, const Expr &, const Expr &);
Expr widening_add(Expr, Expr); Expr widening_sub(Expr, Expr); Expr widening_mul(Expr, Expr); Expr widen_right_add(Expr, Expr); Expr widen_right_sub(Expr, Expr); Expr widen_right_mul(Expr, Expr); Expr halving_add(Expr, Expr); Expr halving_sub(Expr, Expr); Expr rounding_halving_add(Expr, Expr);
Expr saturating_add(Expr, Expr); Expr saturating_sub(Expr, Expr); Expr rounding_shift_left(Expr, Expr); Expr rounding_shift_right(Expr, Expr); Expr widening_shift_left(Expr, Expr); Expr widening_shift_right(Expr, Expr);
Expr rounding_shift_left(Expr, int); Expr rounding_shift_right(Expr, int); Expr widening_shift_left(Expr, int); Expr widening_shift_right(Expr, int);
Expr mul_shift_right(Expr, Expr, int); Expr rounding_mul_shift_right(Expr, Expr, int); Expr mul_shift_right(Expr, Expr, Expr); Expr rounding_mul_shift_right(Expr, Expr, Expr);
Expr target_arch_is(Target::Arch); Expr target_os_is(Target::OS); Expr target_bits(); Expr target_has_feature(Target::Feature); Expr target_natural_vector_size(Type); template<typename T> Expr target_natural_vector_size();
template<typename... A> Expr gather(const Expr &, A &&...); template<typename... A> Expr scatter(const Expr &, A &&...);
#define S2S_REDUCTION(R, name) R name(Expr, const std::string & = #name); R name(const RDom &, Expr, const std::string & = #name); R name(Expr, const Func &); R name(const RDom &, Expr, const Func &);
S2S_REDUCTION(Expr, sum) S2S_REDUCTION(Expr, saturating_sum) S2S_REDUCTION(Expr, product) S2S_REDUCTION(Expr, maximum) S2S_REDUCTION(Expr, minimum) S2S_REDUCTION(Tuple, argmax) S2S_REDUCTION(Tuple, argmin)
#undef S2S_REDUCTION
template<typename... A> Func lambda(A &&...);
template<typename B> auto evaluate(const Expr &) -> B; template<typename T> T evaluate_may_gpu(const Expr &);
struct RoundToNearest_; namespace Internal {
Expr make_const(Type, int64_t); Expr make_zero(Type); Expr make_one(Type); Expr const_true(int = 1); Expr const_false(int = 1); Expr simplify(const Expr &); bool is_const(const Expr &); bool is_const_zero(const Expr &); bool is_const_one(const Expr &);
std::optional<int64_t> as_const_int(const Expr &); std::optional<uint64_t> as_const_uint(const Expr &); std::optional<double> as_const_float(const Expr &); std::string unique_name(const std::string &); Expr lossless_cast(Type, Expr); Expr cast(Type, Expr);
}

namespace BoundaryConditions {
#define S2S_BOUNDARY(name) template<typename T> Func name(const T &, const Region &); template<typename T> Func name(const T &); template<typename T, typename... A> Func name(const T &, Expr, Expr, A &&...);
S2S_BOUNDARY(repeat_edge) S2S_BOUNDARY(repeat_image) S2S_BOUNDARY(mirror_image) S2S_BOUNDARY(mirror_interior)
#undef S2S_BOUNDARY
template<typename T> Func constant_exterior(const T &, const Tuple &, const Region &); template<typename T> Func constant_exterior(const T &, const Expr &, const Region &); template<typename T> Func constant_exterior(const T &, const Expr &);
template<typename T> Func constant_exterior(const T &, const Tuple &);
template<typename T, typename... A> Func constant_exterior(const T &, const Expr &, Expr, Expr, A &&...); template<typename T, typename... A> Func constant_exterior(const T &, const Tuple &, Expr, Expr, A &&...);
}
namespace ConciseCasts {
Expr f64(Expr); Expr f32(Expr); Expr f16(Expr); Expr bf16(Expr); Expr i64(Expr); Expr i32(Expr); Expr i16(Expr); Expr i8(Expr); Expr u64(Expr); Expr u32(Expr); Expr u16(Expr); Expr u8(Expr);
Expr i64_sat(Expr); Expr i32_sat(Expr); Expr i16_sat(Expr); Expr i8_sat(Expr); Expr u64_sat(Expr); Expr u32_sat(Expr); Expr u16_sat(Expr); Expr u8_sat(Expr); Expr i8x(Expr);
}
namespace Tools {
Buffer<> load_image_any(const std::string &); struct Loaded_ { template<typename T, int D> operator Buffer<T, D>() const; }; Loaded_ load_image(const std::string &); Loaded_ load_and_convert_image(const std::string &); template<typename T> void save_image(const T &, const std::string &); template<typename T> void convert_and_save_image(const T &, const std::string &);
template<typename F> double benchmark(F &&); template<typename F> double benchmark(int, int, F &&);
}
namespace Runtime { template<typename T = void, int D = 4> using Buffer = Halide::Buffer<T, D>; }

// Generators.
enum class IOKind { Scalar, Function, Buffer };
template<typename T> class GeneratorParam {
public:
    template<typename U = T, typename = std::enable_if_t<!std::is_same<U, std::string>::value>> explicit GeneratorParam(const std::string &, const T &); GeneratorParam(const std::string &, const T &, const T &, const T &); GeneratorParam(const std::string &, const T &, const std::map<std::string, T> &); GeneratorParam(const std::string &, const std::string &);
    const T &value() const; operator T() const; operator Expr() const; const std::string &name() const; void set(const T &); template<typename U> void set(const U &);
    bool is_float() const; bool is_int() const; int bits() const; bool is_uint() const; Expr max() const; Expr min() const; int natural_vector_size() const; bool has_gpu_feature() const; Type with_bits(int) const; bool is_bfloat() const; bool operator!() const;
    bool has_feature(Target::Feature) const; int bytes() const;
};
#define S2S_PARAM_OPERATOR(op) \
    template<typename O, typename T> auto operator op(const O &a, const GeneratorParam<T> &b) -> decltype(a op(T) b); \
    template<typename T, typename O> auto operator op(const GeneratorParam<T> &a, const O &b) -> decltype((T)a op b); \
    template<typename T, typename U> auto operator op(const GeneratorParam<T> &a, const GeneratorParam<U> &b) -> decltype((T)a op(U) b);
S2S_PARAM_OPERATOR(+) S2S_PARAM_OPERATOR(-) S2S_PARAM_OPERATOR(*) S2S_PARAM_OPERATOR(/) S2S_PARAM_OPERATOR(%) S2S_PARAM_OPERATOR(<) S2S_PARAM_OPERATOR(<=)
S2S_PARAM_OPERATOR(>) S2S_PARAM_OPERATOR(>=) S2S_PARAM_OPERATOR(==) S2S_PARAM_OPERATOR(!=) S2S_PARAM_OPERATOR(&&) S2S_PARAM_OPERATOR(||)
#undef S2S_PARAM_OPERATOR
namespace Internal { namespace ParamMinMax { using std::min; using std::max;
template<typename A, typename B> auto least(const A &a, const B &b) -> decltype(min(a, b)); template<typename A, typename B> auto most(const A &a, const B &b) -> decltype(max(a, b)); } }
template<typename O, typename T> auto min(const O &a, const GeneratorParam<T> &b) -> decltype(Internal::ParamMinMax::least(a, (T)b)); template<typename T, typename O> auto min(const GeneratorParam<T> &a, const O &b) -> decltype(Internal::ParamMinMax::least((T)a, b));
template<typename O, typename T> auto max(const O &a, const GeneratorParam<T> &b) -> decltype(Internal::ParamMinMax::most(a, (T)b)); template<typename T, typename O> auto max(const GeneratorParam<T> &a, const O &b) -> decltype(Internal::ParamMinMax::most((T)a, b));
template<typename T> std::ostream &operator<<(std::ostream &, const GeneratorParam<T> &);
Expr cast(const GeneratorParam<Type> &, Expr);

class S2SPort {
public:
    static const bool s2s_is_image = true; const std::string &name() const; Type type() const; const std::vector<Type> &types() const; int dimensions() const; bool defined() const; Dimension dim(int) const;
    Expr left() const; Expr right() const; Expr top() const; Expr bottom() const; Expr width() const; Expr height() const; Expr channels() const;
    void set_type(const Type &); void set_types(const std::vector<Type> &); void set_dimensions(int); void set_estimates(const Region &); void set_host_alignment(int); void set_array_size(int); size_t size() const; std::vector<Var> args() const; OutputImageParam parameter() const;
};
template<typename Base> class S2SImageInput : public S2SPort {
public:
    template<typename... A> Expr operator()(A &&...) const; Expr operator()(std::vector<Expr>) const; Expr operator()(std::vector<Var>) const; template<typename T> Base &set_estimate(const T &, const Expr &, const Expr &);
    Base &set_estimate(const Var &, const Expr &, const Expr &);
    operator Func() const; Func in(); Func in(const Func &); Func in(const std::vector<Func> &); Base &store_in(MemoryType); Base &add_trace_tag(const std::string &); Base &trace_loads(); operator ExternFuncArgument() const; operator ImageParam() const; Func funcs() const; Base &accelerator_input();
};
template<typename T> struct S2SNames { static const bool array = false; using Element = T; };
template<typename T> struct S2SNames<T[]> { static const bool array = true; using Element = T; };
template<typename T, int N> struct S2SNames<T[N]> { static const bool array = true; using Element = T; };

template<typename T> class GeneratorInput : public S2SPort {
public:
    GeneratorInput(const std::string &); GeneratorInput(const std::string &, const T &); GeneratorInput(const std::string &, const T &, const T &, const T &); GeneratorInput(size_t, const std::string &); GeneratorInput(size_t, const std::string &, const T &);
    operator Expr() const; void set_estimate(const T &); void set_estimate(const Expr &); operator ExternFuncArgument() const; GeneratorInput(const std::string &, const Type &);
};
#define S2S_IMAGE_INPUT \
    GeneratorInput(const std::string &); GeneratorInput(const std::string &, const Type &, int = -1); GeneratorInput(const std::string &, const std::vector<Type> &, int = -1); GeneratorInput(const std::string &, int);
template<typename T, int D> class GeneratorInput<Buffer<T, D>> : public S2SImageInput<GeneratorInput<Buffer<T, D>>> { public: S2S_IMAGE_INPUT };
template<> class GeneratorInput<Halide::Func> : public S2SImageInput<GeneratorInput<Func>> { public: S2S_IMAGE_INPUT operator Stage() const; };
#define S2S_ARRAY(Port) \
    Port(const std::string &); Port(size_t, const std::string &); Port(const std::string &, const Type &, int = -1); Port(const std::string &, int); Port(size_t, const std::string &, const Type &, int = -1); Port(size_t, const std::string &, int); \
    Element &operator[](size_t); const Element &operator[](size_t) const; Element &at(size_t); Element *begin() const; Element *end() const; void resize(size_t);
template<typename T> class GeneratorInput<T[]> : public S2SPort { public: using Element = GeneratorInput<T>; S2S_ARRAY(GeneratorInput) };
template<typename T, int N> class GeneratorInput<T[N]> : public S2SPort { public: using Element = GeneratorInput<T>; S2S_ARRAY(GeneratorInput) };

template<typename T> class GeneratorOutput : public Func {
public:
    GeneratorOutput(const std::string &); GeneratorOutput(const std::string &, int); GeneratorOutput(const std::string &, const Type &, int = -1); GeneratorOutput(const std::string &, const std::vector<Type> &, int = -1);
    GeneratorOutput &operator=(const Func &); GeneratorOutput &operator=(const Expr &); template<typename U, int D> GeneratorOutput &operator=(const Buffer<U, D> &);
    Dimension dim(int) const; Expr left() const; Expr right() const; Expr top() const; Expr bottom() const; Expr width() const; Expr height() const; Expr channels() const;
    void set_type(const Type &); void set_types(const std::vector<Type> &); void set_dimensions(int); void set_array_size(int); void set_host_alignment(int); GeneratorOutput(const GeneratorOutput &);
    static const bool s2s_is_image = true; OutputImageParam parameter() const; operator OutputImageParam() const;
};
template<typename T> class GeneratorOutput<T[]> { public: using Element = GeneratorOutput<T>; S2S_ARRAY(GeneratorOutput) size_t size() const; void set_type(const Type &); void set_dimensions(int); void set_array_size(int); };
template<typename T, int N> class GeneratorOutput<T[N]> { public: using Element = GeneratorOutput<T>; S2S_ARRAY(GeneratorOutput) size_t size() const; void set_type(const Type &); void set_dimensions(int); };

class GeneratorContext { public: GeneratorContext(); explicit GeneratorContext(const Target &, bool = false); const Target &target() const; Target get_target() const; };
class GeneratorBase {
public:
    using Expr = Halide::Expr; using Func = Halide::Func; using Var = Halide::Var; using RVar = Halide::RVar; using RDom = Halide::RDom; using Pipeline = Halide::Pipeline; using ImageParam = Halide::ImageParam; using ExternFuncArgument = Halide::ExternFuncArgument;
    using LoopLevel = Halide::LoopLevel; using MemoryType = Halide::MemoryType; using NameMangling = Halide::NameMangling; using Range = Halide::Range; using Realization = Halide::Realization; using Region = Halide::Region; using TailStrategy = Halide::TailStrategy; using Target = Halide::Target; using Tuple = Halide::Tuple; using Type = Halide::Type; using GeneratorContext = Halide::GeneratorContext;
    template<typename T> static Expr cast(Expr e, S2SType<T> = {}); static Expr cast(Halide::Type t, Expr e); template<typename T> using GeneratorParam = Halide::GeneratorParam<T>; template<typename T = void, int D = -1> using Buffer = Halide::Buffer<T, D>; template<typename T> using Param = Halide::Param<T>;
    static Type Bool(int = 1); static Type Float(int, int = 1); static Type Int(int, int = 1); static Type UInt(int, int = 1);
    template<typename T> using Input = GeneratorInput<T>; template<typename T> using Output = GeneratorOutput<T>;
    Halide::GeneratorParam<Target> target{"target", Target()}; Halide::GeneratorParam<bool> auto_schedule{"auto_schedule", false};
    Target get_target() const; bool using_autoscheduler() const; int natural_vector_size(Type) const; template<typename T> int natural_vector_size(S2SType<T> = {}) const; Pipeline get_pipeline(); GeneratorContext context() const; const MachineParams &get_machine_params() const;
    template<typename... A> void add_requirement(const Expr &, A &&...); void track_parameter_values(bool); template<typename T> void set_inputs(const T &);
    template<typename T> GeneratorOutput<T> *add_output(const std::string &, S2SType<T> = {}); template<typename T> GeneratorOutput<T> *add_output(const std::string &, const Type &, int = -1, S2SType<T> = {}); template<typename T> GeneratorOutput<T> *add_output(const std::string &, int, S2SType<T> = {}); template<typename T> GeneratorOutput<T> *add_output(const std::string &, const std::vector<Type> &, int, S2SType<T> = {});
    template<typename T> GeneratorInput<T> *add_input(const std::string &, S2SType<T> = {}); template<typename T> GeneratorInput<T> *add_input(const std::string &, const Type &, int = -1, S2SType<T> = {}); template<typename T> GeneratorInput<T> *add_input(const std::string &, int, S2SType<T> = {}); template<typename T> GeneratorInput<T> *add_input(const std::string &, const std::vector<Type> &, int, S2SType<T> = {});
};
template<typename T> class Generator : public GeneratorBase {
public:
    template<typename... A> void apply(const A &...); template<typename... A> static std::unique_ptr<T> create(const A &...); template<typename G> std::unique_ptr<G> create(S2SType<G> = {}) const; template<typename G, typename... A> std::unique_ptr<G> apply(const A &...) const;
};
template<typename T> using Input = GeneratorInput<T>;
template<typename T> using Output = GeneratorOutput<T>;
}  // namespace Halide

// A registration calls what a generator has of these, so that instances of templates have bodies.
#define S2S_RUN(method) \
    template<typename G> auto s2s_run_##method(G *g, int) -> decltype((void)g->method()) { g->method(); } \
    template<typename G> void s2s_run_##method(G *, long) {}
namespace s2s_generators { S2S_RUN(configure) S2S_RUN(generate) S2S_RUN(build) S2S_RUN(schedule) }
#define S2S_REGISTER_3(G, name, full) namespace s2s_generators { inline void s2s_generator_##name(G *g) { new G; s2s_run_configure(g, 0); s2s_run_generate(g, 0); s2s_run_build(g, 0); s2s_run_schedule(g, 0); } }
#define S2S_REGISTER_2(G, name) S2S_REGISTER_3(G, name, name)
#define S2S_PICK(a, b, c, d, ...) d
#define HALIDE_REGISTER_GENERATOR(...) S2S_PICK(__VA_ARGS__, S2S_REGISTER_3, S2S_REGISTER_2, )(__VA_ARGS__)
#define HALIDE_REGISTER_GENERATOR_ALIAS(...)
#define HALIDE_VERSION_MAJOR 21
#define HALIDE_VERSION_MINOR 0
#define HALIDE_VERSION_PATCH 0
#define HALIDE_NO_USER_CODE_INLINE
#define HALIDE_ALWAYS_INLINE inline
#define _halide_user_assert(c) if (!(c)) std::cerr

#endif
