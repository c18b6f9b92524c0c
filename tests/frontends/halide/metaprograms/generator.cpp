enum class Kind { One, Two };
class G : public Generator<G> {
public:
    GeneratorParam<int> n{"n", 1, 0, 9};
    GeneratorParam<Kind> kind{"kind", Kind::One, {{"one", Kind::One}, {"two", Kind::Two}}};
    GeneratorParam<Type> type{"type", UInt(8)};
    Input<Buffer<void>> input{"input", 2};
    Input<int> offset{"offset", 3};
    Output<Func> output{"output"};
    Var x{"x"}, y{"y"};
    void configure() { if (n > 4) extra = add_input<float>("extra"); }
    void generate() {
        output(x, y) = cast(type, input(x, y)) + cast(type, offset) * (int)n;
        if (kind == Kind::Two) output(x, y) += cast(type, 1);
    }
    void schedule() { output.vectorize(x, natural_vector_size<uint8_t>()); }
private:
    GeneratorInput<float> *extra = nullptr;
};
HALIDE_REGISTER_GENERATOR(G, the_generator)
