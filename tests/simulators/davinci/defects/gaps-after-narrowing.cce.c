// expect: 24 undefined
// davinci: in x 2048
// davinci: out y 2048
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
extern "C" __global__ __aicore__ void widen(__gm__ half *x, __gm__ half *y) {
    __ubuf__ half *h = (__ubuf__ half *)(0);
    __ubuf__ float *f = (__ubuf__ float *)(16384);
    __ubuf__ half *r = (__ubuf__ half *)(49152);
    copy_gm_to_ubuf(h, x, 0, 1, 128, 0, 0);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
    set_vector_mask(0, (uint64_t)-1);
    vconv_f162f32(f, h, 32, 1, 1, 8, 4);
    pipe_barrier(PIPE_V);
    vadds(f, f, 1.5f, 32, 1, 1, 8, 8);
    pipe_barrier(PIPE_V);
    vconv_f322f16(r, f, 32, 1, 1, 8, 8);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID3);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID3);
    copy_ubuf_to_gm(y, r, 0, 1, 128, 0, 0);
    pipe_barrier(PIPE_ALL);
}
