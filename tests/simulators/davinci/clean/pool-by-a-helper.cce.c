// davinci: blocks 2
// davinci: in x 2 15 15 16
// davinci: out y 2 8 8 16
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
#define KH 3
#define KW 3
#define FM(w, h, l, r, t, b) ((uint64_t)(w) | (uint64_t)(h) << 16 | (uint64_t)(l) << 32 | (uint64_t)(r) << 40 | (uint64_t)(t) << 48 | (uint64_t)(b) << 56)
static __aicore__ inline void fetch(__ubuf__ half *to, __cbuf__ half *from, int kh, int kw, int fractals) {
    img2col_cbuf_to_ub(to, from, kw, kh, -1, -1, 0, 2, 2, KW, KH, 1, 1, 1, 1, fractals, 16);
}
extern "C" __global__ __aicore__ void pool(__gm__ half *x, __gm__ half *y) {
    __cbuf__ half *image = (__cbuf__ half *)(0);
    __ubuf__ half *col = (__ubuf__ half *)(0);
    __ubuf__ half *best = (__ubuf__ half *)(65536);
    const int windows = 8 * 8, fractals = (windows + 15) / 16;
    set_padding(0xfbff);
    set_fmatrix(FM(15, 15, 1, 1, 1, 1));
    copy_gm_to_cbuf(image, x + block_idx * 15 * 15 * 16, 0, 15, 15, 0, 0, PAD_NONE);
    set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    set_vector_mask_dup((uint64_t)-1);
    vector_dup(best, (half)(-65504.0f), windows * 16 / 128, 1, 1, 8, 8);
    for (int kh = 0; kh < KH; kh++) {
        for (int kw = 0; kw < KW; kw++) {
            fetch(col, image, kh, kw, fractals);
            set_flag(PIPE_MTE1, PIPE_V, EVENT_ID0);
            wait_flag(PIPE_MTE1, PIPE_V, EVENT_ID0);
            pipe_barrier(PIPE_V);
            vmax(best, col, best, windows * 16 / 128, 1, 1, 1, 8, 8, 8);
            set_flag(PIPE_V, PIPE_MTE1, EVENT_ID1);
            wait_flag(PIPE_V, PIPE_MTE1, EVENT_ID1);
        }
    }
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    copy_ubuf_to_gm(y + block_idx * windows * 16, best, 0, 1, windows, 0, 0);
    pipe_barrier(PIPE_ALL);
}
