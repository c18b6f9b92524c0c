template <int N>
class Merge {
  public:
    void filter(input_stream<int32> *a, input_stream<float> *b, output_stream<float> *c,
                output_stream<int32> *d)
    {
        for (int n = 0; n < N; n++) {
            put_wms(0, getf_wss(1));
            for (int k = 0; k < 2; k++) put_ms(k, get_ss(1 - k));
        }
    }
};
