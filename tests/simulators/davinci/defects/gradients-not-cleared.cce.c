// expect: 19 undefined
// davinci: in g 8 8 16
// davinci: out gx 16 16 16
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
extern "C" __global__ __aicore__ void back(__gm__ half *g, __gm__ half *gx) {
    __ubuf__ half *dy = (__ubuf__ half *)(0);
    __ubuf__ half *dx = (__ubuf__ half *)(8192);
    copy_gm_to_ubuf(dy, g, 0, 1, 64, 0, 0);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    set_fcol2img((uint64_t)16 | (uint64_t)16 << 16);
    for (uint64_t kh = 0; kh < 2; ++kh)
        for (uint64_t kw = 0; kw < 2; ++kw) {
            pipe_barrier(PIPE_V);
            col2img(dx, dy, kw << 16 | kh << 24, (uint64_t)2 | 2 << 6 | 2 << 12 | 2 << 20 | (uint64_t)1 << 28 | (uint64_t)1 << 36 | (uint64_t)1 << 44 | (uint64_t)1 << 52 | (uint64_t)4 << 56);
        }
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    copy_ubuf_to_gm(gx, dx, 0, 1, 256, 0, 0);
    pipe_barrier(PIPE_ALL);
}
