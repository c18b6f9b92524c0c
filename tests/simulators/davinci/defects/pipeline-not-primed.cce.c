// expect: 22 deadlock
// davinci: in src 5120
// davinci: out dst 5120
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
extern "C" __global__ __aicore__ void scale(__gm__ half *__restrict__ src, __gm__ half *__restrict__ dst) {
    __ubuf__ half *ping = (__ubuf__ half *)get_imm(0);
    __ubuf__ half *pong = (__ubuf__ half *)get_imm(0x4000);
    __ubuf__ half *res = (__ubuf__ half *)get_imm(0x8000);
    set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
    set_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);
    for (int i = 0; i < 5; ++i) {
        __ubuf__ half *cur = (i & 1) ? pong : ping;
        event_t ev = (i & 1) ? EVENT_ID1 : EVENT_ID0;
        wait_flag(PIPE_V, PIPE_MTE2, ev);
        copy_gm_to_ubuf(cur, src + i * 1024, 0, 1, 64, 0, 0);
        set_flag(PIPE_MTE2, PIPE_V, ev);
        wait_flag(PIPE_MTE2, PIPE_V, ev);
        wait_flag(PIPE_MTE3, PIPE_V, ev);
        vmuls(res + (i & 1) * 1024, cur, (half)0.5f, 8, 1, 1, 8, 8);
        set_flag(PIPE_V, PIPE_MTE2, ev);
        set_flag(PIPE_V, PIPE_MTE3, ev);
        wait_flag(PIPE_V, PIPE_MTE3, ev);
        copy_ubuf_to_gm(dst + i * 1024, res + (i & 1) * 1024, 0, 1, 64, 0, 0);
        set_flag(PIPE_MTE3, PIPE_V, ev);
    }
    wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);
    wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID1);
    pipe_barrier(PIPE_ALL);
}
