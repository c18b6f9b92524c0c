// davinci: in input_1 4 512
// davinci: in input_2 512
// davinci: out T_add_ 4 512
#ifdef __CCE_KT_TEST__
#define __aicore__
#else
#define __aicore__ [aicore]
#endif
extern "C" __global__ __aicore__ void fused_add_kernel0(__gm__ half *__restrict__ input_1, __gm__ half *__restrict__ input_2, __gm__ half *__restrict__ T_add_) {
    __ubuf__ half *input_2_local_UB = (__ubuf__ half *)(0);
    __ubuf__ half *input_1_local_UB = (__ubuf__ half *)(1024);
    set_vector_mask((uint64_t)-1, (uint64_t)-1);
    copy_gm_to_ubuf((__ubuf__ half *)input_2_local_UB, (__gm__ half *)input_2, 0, 1, 32, 0, 0);
    for (int32_t cc0 = 0; cc0 < 4; ++cc0) {
        copy_gm_to_ubuf(((__ubuf__ half *)input_1_local_UB + 0), ((__gm__ half *)input_1 + (cc0 * 512)), 0, 1, 32, 0, 0);
        set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        vadd(((__ubuf__ half *)input_1_local_UB + 0), ((__ubuf__ half *)input_1_local_UB + 0), ((__ubuf__ half *)input_2_local_UB + 0), (uint8_t)4, (uint8_t)1, (uint8_t)1, (uint8_t)1, (uint8_t)8, (uint8_t)8, (uint8_t)8);
        set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
        wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
        copy_ubuf_to_gm(((__gm__ half *)T_add_ + (cc0 * 512)), ((__ubuf__ half *)input_1_local_UB + 0), 0, 1, 32, 0, 0);
        set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
        wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
    }
    pipe_barrier(PIPE_ALL);
}
