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
    copy_gm_to_ubuf(a, x, 0, 1, 64, 0, 0);
    copy_gm_to_ubuf(b, x + 1024, 0, 1, 64, 0, 0);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    vadd(a, a, b, 8, 1, 1, 1, 8, 8, 8);
    pipe_barrier(PIPE_V);
    vmuls(c, a, (half)(0.5f), 8, 1, 1, 8, 8);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    copy_ubuf_to_gm(y, c, 0, 1, 64, 0, 0);
    pipe_barrier(PIPE_ALL);
}
