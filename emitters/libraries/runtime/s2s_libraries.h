/* s2s: functions of libraries by which the host does whole operations. */
#ifndef S2S_LIBRARIES_H
#define S2S_LIBRARIES_H

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a library is there; where not, the host's own text runs. The others load one only when
   that is expected to pay: with a call that saves so many nanoseconds, beside all calls before. */
int s2s_has_blas(void);
int s2s_has_onednn(void);
int s2s_pays_blas(double saved);
int s2s_pays_onednn(double saved);

#define S2S_BLAS(T, P)                                                                           \
    void s2s_##P##gemm(int ta, int tb, long m, long n, long k, T alpha, const T *a, long lda,    \
                       const T *b, long ldb, T beta, T *c, long ldc);                            \
    void s2s_##P##gemv(int ta, long m, long n, T alpha, const T *a, long lda, const T *x,        \
                       long incx, T beta, T *y, long incy);                                      \
    void s2s_##P##ger(long m, long n, T alpha, const T *x, long incx, const T *y, long incy,     \
                      T *a, long lda);                                                           \
    void s2s_##P##dot(long n, T alpha, const T *x, long incx, const T *y, long incy, T beta,     \
                      T *out);                                                                   \
    void s2s_##P##totals(int ta, long m, long n, T alpha, const T *a, long lda, T beta, T *y,    \
                         long incy);                                                             \
    void s2s_##P##total(long n, T alpha, const T *x, long incx, T beta, T *out);                 \
    void s2s_##P##axpy(long n, T alpha, const T *x, long incx, T *y, long incy);                 \
    void s2s_##P##scal(long n, T alpha, T *x, long incx);                                        \
    void s2s_##P##syrk(int lower, int ta, long n, long k, T alpha, const T *a, long lda,         \
                       T beta, T *c, long ldc);                                                  \
    void s2s_##P##syr2k(int lower, int ta, long n, long k, T alpha, const T *a, long lda,        \
                        const T *b, long ldb, T beta, T *c, long ldc);
S2S_BLAS(float, s)
S2S_BLAS(double, d)
#undef S2S_BLAS
/* Of integers: types are sizes in bytes, negative with a sign. */
void s2s_igemm(int ta, int tb, long m, long n, long k, long alpha, const void *a, int of_a,
               long lda, const void *b, int of_b, long ldb, long beta, void *c, int of_c,
               long ldc);

/* Windows over images along three axes: sizes; counts of windows, points, taps, strides, dilations
   and points of padding before for each axis; then steps in elements of the source for image,
   group, channel and axes, of weights for group, output channel, channel and axes, and of the
   target for image, group, output channel and axes. */
#define S2S_WINDOWS                                                                              \
    long images, long groups, long outputs, long inputs, long n0, long n1, long n2, long p0,     \
        long p1, long p2, long k0, long k1, long k2, long r0, long r1, long r2, long d0,         \
        long d1, long d2, long b0, long b1, long b2, long s0, long s1, long s2, long s3,         \
        long s4, long s5, long w0, long w1, long w2, long w3, long w4, long w5, long t0,         \
        long t1, long t2, long t3, long t4, long t5

/* By oneDNN. */
void s2s_convolution(S2S_WINDOWS, const float *source, const float *weight, float beta,
                     float *target);
void s2s_pool_max(S2S_WINDOWS, const float *source, float *target);
/* Softmax of rows, the elements of each of which follow each other. */
void s2s_softmax(long rows, long n, const float *x, long ldx, float *y, long ldy, float least);
/* A function of each element: 0 exp, 1 tanh, 2 logistic. */
void s2s_elements(int function, long n, const float *x, float *y);
/* By products of BLAS. */
void s2s_sconvolution(S2S_WINDOWS, float alpha, const float *source, const float *weight,
                      float beta, float *target);
void s2s_dconvolution(S2S_WINDOWS, double alpha, const double *source, const double *weight,
                      double beta, double *target);

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L)
#define S2S_INLINE static inline
#else
#define S2S_INLINE static __inline__
#endif

/* Elements from a row to the next where all are equally far apart, else 0. */
S2S_INLINE long s2s_row_step(const void *const *rows, long count, long size) {
    long step, k;
    if (count < 2) return count == 1 ? 2147483647 : 0;
    step = (const char *)rows[1] - (const char *)rows[0];
    for (k = 1; k + 1 < count; k++)
        if ((const char *)rows[k + 1] - (const char *)rows[k] != step) return 0;
    return step > 0 && step % size == 0 ? step / size : 0;
}

/* The quotient that is rounded down. */
S2S_INLINE long s2s_floor(long a, long b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
#endif
