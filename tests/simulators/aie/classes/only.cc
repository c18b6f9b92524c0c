class Doubler {
    int kept;
  public:
    Doubler(int by = 2) : kept(by) {}
    void run(input_window<int32> *in, output_window<int32> *out)
    {
        for (int i = 0; i < 16; i++) window_writeincr(out, window_readincr(in) * kept);
    }
    static void registerKernelClass() { REGISTER_FUNCTION(Doubler::run); }
};
// ---

template <int N, int BY>
class Scale {
  public:
    void filter(input_window<int32> *in, output_window<int32> *out);
};
template <int N, int BY>
void Scale<N, BY>::filter(input_window<int32> *in, output_window<int32> *out)
{
    for (int i = 0; i < N; i++) window_writeincr(out, window_readincr(in) * -BY);
}
template class Scale<16, -3>;
