// davinci: blocks 3
// davinci: in x 2080
// davinci: out y 2080
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
extern "C" __global__ __aicore__ void relu(__gm__ half *x, __gm__ half *y) {
    const int32_t total = 2080, step = 768;
    int32_t offset = (int32_t)block_idx * step;
    if (offset + step > total) offset = total - step;
    __ubuf__ half *v = (__ubuf__ half *)(0);
    copy_gm_to_ubuf(v, x + offset, 0, 1, step / 16, 0, 0);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    vrelu(v, v, step / 128, 1, 1, 8, 8);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    copy_ubuf_to_gm(y + offset, v, 0, 1, step / 16, 0, 0);
    pipe_barrier(PIPE_ALL);
}
