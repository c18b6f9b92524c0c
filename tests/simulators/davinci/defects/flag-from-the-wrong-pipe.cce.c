// expect: 20 race
// davinci: in x 4096
// davinci: out y 128
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
extern "C" __global__ __aicore__ void total(__gm__ half *x, __gm__ half *y) {
    __ubuf__ half *v = (__ubuf__ half *)(0);
    copy_gm_to_ubuf(v, x, 0, 1, 256, 0, 0);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    for (int half_of = 16; half_of > 0; half_of >>= 1) {
        vadd(v, v, v + half_of * 128, half_of, 1, 1, 1, 8, 8, 8);
        pipe_barrier(PIPE_V);
    }
    set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    copy_ubuf_to_gm(y, v, 0, 1, 8, 0, 0);
    pipe_barrier(PIPE_ALL);
}
