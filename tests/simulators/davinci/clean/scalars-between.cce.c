// davinci: in x 128
// davinci: out y 128
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
extern "C" __global__ __aicore__ void pick(__gm__ half *x, __gm__ half *y) {
    __ubuf__ half *v = (__ubuf__ half *)(0);
    __ubuf__ half *w = (__ubuf__ half *)(4096);
    copy_gm_to_ubuf(v, x, 0, 1, 8, 0, 0);
    set_flag(PIPE_MTE2, PIPE_S, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_S, EVENT_ID0);
    half factor = *(v + 3);
    if (factor > (half)0.0f) v[5] = factor;
    else v[5] = (half)1.0f;
    set_flag(PIPE_S, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_S, PIPE_V, EVENT_ID0);
    vmuls(w, v, factor, 1, 1, 1, 8, 8);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    copy_ubuf_to_gm(y, w, 0, 1, 8, 0, 0);
    pipe_barrier(PIPE_ALL);
}
