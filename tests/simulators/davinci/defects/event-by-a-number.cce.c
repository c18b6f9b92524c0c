// expect: 18 event
// davinci: out y 40960
// davinci: in x 16
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
extern "C" __global__ __aicore__ void fill(__gm__ half *y, __gm__ half *x) {
    __ubuf__ half *v = (__ubuf__ half *)(0);
    int repeats = 40960 / 128, done = 0;
    while (repeats > 0) {
        int now = repeats > 255 ? 255 : repeats;
        vector_dup(v + done * 128, (half)3.25f, now, 1, 1, 8, 8);
        repeats -= now;
        done += now;
    }
    set_flag(PIPE_V, PIPE_MTE3, (event_t)(done % 7));
    wait_flag(PIPE_V, PIPE_MTE3, (event_t)(done % 7));
    copy_ubuf_to_gm(y, v, 0, 20, 128, 0, 0);
    pipe_barrier(PIPE_ALL);
}
