// davinci: in x 1024
// davinci: out y 1024
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
extern "C" __global__ __aicore__ void stage(__gm__ half *x, __gm__ half *y) {
    __cbuf__ half *l1 = (__cbuf__ half *)(0);
    __ubuf__ half *u = (__ubuf__ half *)(0), *w = (__ubuf__ half *)(4096);
    copy_gm_to_cbuf(l1, x, 0, 1, 64, 0, 0, PAD_NONE);
    set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    for (int k = 0; k < 4; k++)
        copy_cbuf_to_ubuf(u + k * 256, l1 + (3 - k) * 256, 0, 1, 16, 0, 0);
    set_flag(PIPE_MTE1, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE1, PIPE_V, EVENT_ID0);
    vabs(w, u, 8, 1, 1, 8, 8);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    copy_ubuf_to_gm(y, w, 0, 1, 64, 0, 0);
    pipe_barrier(PIPE_ALL);
}
