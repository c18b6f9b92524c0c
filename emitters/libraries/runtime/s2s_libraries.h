/* s2s: functions of libraries by which the host does whole operations. */
#ifndef S2S_LIBRARIES_H
#define S2S_LIBRARIES_H

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the program was built with a library; where not, the host's own text runs. */
int s2s_has_blas(void);
int s2s_has_onednn(void);

#define S2S_BLAS(T, P)                                                                          \
    void s2s_##P##gemm(int ta, int tb, long m, long n, long k, T alpha, const T *a, long lda,    \
                       const T *b, long ldb, T beta, T *c, long ldc);                            \
    void s2s_##P##gemv(int ta, long m, long n, T alpha, const T *a, long lda, const T *x,        \
                       long incx, T beta, T *y, long incy);                                      \
    void s2s_##P##ger(long m, long n, T alpha, const T *x, long incx, const T *y, long incy,     \
                      T *a, long lda);                                                           \
    void s2s_##P##dot(long n, T alpha, const T *x, long incx, const T *y, long incy, T beta,     \
                      T *out);                                                                   \
    void s2s_##P##axpy(long n, T alpha, const T *x, long incx, T *y, long incy);                 \
    void s2s_##P##scal(long n, T alpha, T *x, long incx);                                        \
    void s2s_##P##syrk(int lower, int ta, long n, long k, T alpha, const T *a, long lda,         \
                       T beta, T *c, long ldc);                                                  \
    void s2s_##P##syr2k(int lower, int ta, long n, long k, T alpha, const T *a, long lda,        \
                        const T *b, long ldb, T beta, T *c, long ldc);
S2S_BLAS(float, s)
S2S_BLAS(double, d)
#undef S2S_BLAS

/* Windows over an image: sizes, then steps in elements of source and target for image, group,
   channel, row and column, and of weights for group, output channel, channel, row and column. */
#define S2S_WINDOWS                                                                             \
    long images, long groups, long outputs, long inputs, long rows, long columns, long height,  \
        long width, long kernel_rows, long kernel_columns, long stride_y, long stride_x,        \
        long dilation_y, long dilation_x, long top, long left, long s0, long s1, long s2,       \
        long s3, long s4, long w0, long w1, long w2, long w3, long w4, long t0, long t1,        \
        long t2, long t3, long t4

void s2s_convolution(S2S_WINDOWS, const float *source, const float *weight, float beta,
                     float *target);
void s2s_pool_max(S2S_WINDOWS, const float *source, float *target);

#ifdef __cplusplus
}
#endif

/* Elements from a row to the next where all are equally far apart, else 0. */
static inline long s2s_row_step(const void *const *rows, long count, long size) {
    if (count < 2) return count == 1 ? 2147483647 : 0;
    long step = (const char *)rows[1] - (const char *)rows[0];
    for (long k = 1; k + 1 < count; k++)
        if ((const char *)rows[k + 1] - (const char *)rows[k] != step) return 0;
    return step > 0 && step % size == 0 ? step / size : 0;
}

/* The quotient that is rounded down. */
static inline long s2s_floor(long a, long b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
#endif
