// expect: 13 burst
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
    copy_gm_to_ubuf(a, x, 0, 4097, 1, 0, 0);
    pipe_barrier(PIPE_ALL);
}
