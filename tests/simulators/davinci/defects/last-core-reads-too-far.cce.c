// expect: 18 overflow
// davinci: blocks 3
// davinci: in a 5008
// davinci: in b 5008
// davinci: out c 5008
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
extern "C" __global__ __aicore__ void add(__gm__ half *a, __gm__ half *b, __gm__ half *c) {
    const int total = 5008, per_core = (total + block_num * 16 - 1) / (block_num * 16) * 16;
    int begin = block_idx * per_core;
    int length = total - begin < per_core ? total - begin : per_core;
    __ubuf__ half *ua = (__ubuf__ half *)(0);
    __ubuf__ half *ub = (__ubuf__ half *)(8192);
    __ubuf__ half *uc = (__ubuf__ half *)(16384);
    copy_gm_to_ubuf(ua, a + begin, 0, 1, per_core / 16, 0, 0);
    copy_gm_to_ubuf(ub, b + begin, 0, 1, length / 16, 0, 0);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    int whole = length / 128, rest = length % 128;
    set_vector_mask((uint64_t)-1, (uint64_t)-1);
    if (whole > 0) vadd(uc, ua, ub, whole, 1, 1, 1, 8, 8, 8);
    if (rest > 0) {
        uint64_t low = rest >= 64 ? (uint64_t)-1 : ((uint64_t)1 << rest) - 1;
        uint64_t high = rest > 64 ? ((uint64_t)1 << (rest - 64)) - 1 : 0;
        set_vector_mask(high, low);
        vadd(uc + whole * 128, ua + whole * 128, ub + whole * 128, 1, 1, 1, 1, 8, 8, 8);
    }
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    copy_ubuf_to_gm(c + begin, uc, 0, 1, length / 16, 0, 0);
    pipe_barrier(PIPE_ALL);
}
