// davinci: in x 512
// davinci: out y 512
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
extern "C" __global__ __aicore__ void clip(__gm__ half *x, __gm__ half *y) {
    __ubuf__ half *v = (__ubuf__ half *)(0);
    __ubuf__ half *zero = (__ubuf__ half *)(8192);
    __ubuf__ half *out = (__ubuf__ half *)(12288);
    copy_gm_to_ubuf(v, x, 0, 4, 8, 0, 0);
    vector_dup(zero, (half)0.0f, 1, 1, 1, 8, 8);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID2);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID2);
    pipe_barrier(PIPE_V);
    int r = 0;
    while (r < 4) {
        vcmp_gt(v + r * 128, zero, 1, 1, 1, 1, 8, 8, 8);
        vsel(out + r * 128, v + r * 128, zero, 1, 1, 1, 1, 8, 8, 8);
        r += 1;
    }
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID2);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID2);
    copy_ubuf_to_gm(y, out, 0, 4, 8, 0, 0);
    pipe_barrier(PIPE_ALL);
}
