// expect: 20 undefined
// davinci: in x 2048
// davinci: out y 1024
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
extern "C" __global__ __aicore__ void kernel(__gm__ half *__restrict__ x, __gm__ half *__restrict__ y) {
    __ubuf__ half *a = (__ubuf__ half *)(0);
    __ubuf__ half *b = (__ubuf__ half *)(4096);
    __ubuf__ half *c = (__ubuf__ half *)(8192);
    copy_gm_to_cbuf((__cbuf__ half *)(0), x, 0, 1, 25, 0, 0, PAD_NONE);
    set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    set_fmatrix(0x50005ull);
    img2col_cbuf_to_ub(a, (__cbuf__ half *)(0), 0, 0, 0, 0, 0, 1, 1, 2, 2, 1, 1, 1, 1, 2, 2);
    set_flag(PIPE_MTE1, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_MTE1, PIPE_MTE3, EVENT_ID0);
    copy_ubuf_to_gm(y, a, 0, 1, 32, 0, 0);
    pipe_barrier(PIPE_ALL);
}
