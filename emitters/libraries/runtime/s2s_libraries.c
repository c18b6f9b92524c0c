/* s2s: functions of libraries by which the host does whole operations. */
#include "s2s_libraries.h"

#ifdef S2S_WITH_BLAS
#include <cblas.h>
#endif
#ifdef S2S_WITH_ONEDNN
#include <dnnl.h>
#endif
#include "s2s_loading.h"

#ifdef S2S_WITH_BLAS
int s2s_has_blas(void) { return is_loaded(&blas); }
int s2s_pays_blas(double saved) { return pays(&blas, saved); }
#define S2S_TRANS(t) ((t) ? CblasTrans : CblasNoTrans)
#define S2S_UPLO(l) ((l) ? CblasLower : CblasUpper)
/* A second thread takes longer to begin than short calls take on one: so many multiplications a
   call has to have (two threads of one core, ratios of one to two threads: products of 80 x 80 0.6,
   of 100 x 100 1.1; of matrix and vector 64 x 256 0.7, 288 x 288 1.3). */
#define S2S_THREADS_GEMM 900000.0
#define S2S_THREADS_GEMV 65536.0
/* OpenBLAS itself takes one thread for less than this, so that nothing has to be set for it. */
#define S2S_ALONE_GEMM 200000.0
#define S2S_ALONE_GEMV 9000.0
static int begin(double work, double least) {
    double alone = least > S2S_THREADS_GEMV ? S2S_ALONE_GEMM : S2S_ALONE_GEMV;
    int had = work < least && work > alone ? openblas_get_num_threads() : 1;
    if (had > 1) openblas_set_num_threads(1);
    return had;
}
static void end(int had) {
    if (had > 1) openblas_set_num_threads(had);
}
/* Sums are products with ones. */
#define S2S_ONES 1024
#define S2S_4(x) x, x, x, x
#define S2S_64(x) S2S_4(S2S_4(S2S_4(x)))
#define S2S_MANY S2S_4(S2S_4(S2S_64(1)))
#define S2S_CALLS(T, P)                                                                          \
    void s2s_##P##gemm(int ta, int tb, long m, long n, long k, T alpha, const T *a, long lda,    \
                       const T *b, long ldb, T beta, T *c, long ldc) {                           \
        int had = begin((double)m * n * k, m > 1 && n > 1 ? S2S_THREADS_GEMM                     \
                                                              : S2S_THREADS_GEMV);               \
        /* One row or column: a product with a matrix writes all of that out first. */           \
        if (m == 1)                                                                              \
            cblas_##P##gemv(CblasRowMajor, S2S_TRANS(!tb), (int)(tb ? n : k), (int)(tb ? k : n), \
                            alpha, b, (int)ldb, a, ta ? (int)lda : 1, beta, c, 1);               \
        else if (n == 1)                                                                         \
            cblas_##P##gemv(CblasRowMajor, S2S_TRANS(ta), (int)(ta ? k : m), (int)(ta ? m : k),  \
                            alpha, a, (int)lda, b, tb ? 1 : (int)ldb, beta, c, (int)ldc);        \
        else                                                                                     \
            cblas_##P##gemm(CblasRowMajor, S2S_TRANS(ta), S2S_TRANS(tb), (int)m, (int)n, (int)k, \
                            alpha, a, (int)lda, b, (int)ldb, beta, c, (int)ldc);                 \
        end(had);                                                                                \
    }                                                                                            \
    void s2s_##P##gemv(int ta, long m, long n, T alpha, const T *a, long lda, const T *x,        \
                       long incx, T beta, T *y, long incy) {                                     \
        int had = begin((double)m * n, S2S_THREADS_GEMV);                                        \
        cblas_##P##gemv(CblasRowMajor, S2S_TRANS(ta), (int)m, (int)n, alpha, a, (int)lda, x,     \
                        (int)incx, beta, y, (int)incy);                                          \
        end(had);                                                                                \
    }                                                                                            \
    void s2s_##P##ger(long m, long n, T alpha, const T *x, long incx, const T *y, long incy,     \
                      T *a, long lda) {                                                          \
        cblas_##P##ger(CblasRowMajor, (int)m, (int)n, alpha, x, (int)incx, y, (int)incy, a,      \
                       (int)lda);                                                                \
    }                                                                                            \
    void s2s_##P##dot(long n, T alpha, const T *x, long incx, const T *y, long incy, T beta,     \
                      T *out) {                                                                  \
        T sum = alpha * cblas_##P##dot((int)n, x, (int)incx, y, (int)incy);                      \
        *out = beta == 0 ? sum : beta * *out + sum;                                              \
    }                                                                                            \
    void s2s_##P##totals(int ta, long m, long n, T alpha, const T *a, long lda, T beta, T *y,    \
                         long incy) {                                                            \
        static const T ones[S2S_ONES] = {S2S_MANY};                                              \
        long all = ta ? m : n;                                                                   \
        int had = begin((double)m * n, S2S_THREADS_GEMV);                                        \
        for (long k = 0; k < all; k += S2S_ONES) {                                               \
            long count = all - k < S2S_ONES ? all - k : S2S_ONES;                                \
            cblas_##P##gemv(CblasRowMajor, S2S_TRANS(ta), (int)(ta ? count : m),                 \
                            (int)(ta ? n : count), alpha, a + (ta ? k * lda : k), (int)lda,      \
                            ones, 1, k ? 1 : beta, y, (int)incy);                                \
        }                                                                                        \
        end(had);                                                                                \
    }                                                                                            \
    void s2s_##P##total(long n, T alpha, const T *x, long incx, T beta, T *out) {                \
        static const T ones[S2S_ONES] = {S2S_MANY};                                              \
        T sum = 0;                                                                               \
        for (long k = 0; k < n; k += S2S_ONES)                                                   \
            sum += cblas_##P##dot((int)(n - k < S2S_ONES ? n - k : S2S_ONES), x + k * incx,      \
                                  (int)incx, ones, 1);                                           \
        *out = beta == 0 ? alpha * sum : beta * *out + alpha * sum;                              \
    }                                                                                            \
    void s2s_##P##axpy(long n, T alpha, const T *x, long incx, T *y, long incy) {                \
        cblas_##P##axpy((int)n, alpha, x, (int)incx, y, (int)incy);                              \
    }                                                                                            \
    void s2s_##P##scal(long n, T alpha, T *x, long incx) {                                       \
        cblas_##P##scal((int)n, alpha, x, (int)incx);                                            \
    }                                                                                            \
    void s2s_##P##syrk(int lower, int ta, long n, long k, T alpha, const T *a, long lda, T beta, \
                       T *c, long ldc) {                                                         \
        cblas_##P##syrk(CblasRowMajor, S2S_UPLO(lower), S2S_TRANS(ta), (int)n, (int)k, alpha, a, \
                        (int)lda, beta, c, (int)ldc);                                            \
    }                                                                                            \
    void s2s_##P##syr2k(int lower, int ta, long n, long k, T alpha, const T *a, long lda,        \
                        const T *b, long ldb, T beta, T *c, long ldc) {                          \
        cblas_##P##syr2k(CblasRowMajor, S2S_UPLO(lower), S2S_TRANS(ta), (int)n, (int)k, alpha,   \
                         a, (int)lda, b, (int)ldb, beta, c, (int)ldc);                           \
    }
S2S_CALLS(float, s)
S2S_CALLS(double, d)
#include "s2s_integers.h"
#else
int s2s_has_blas(void) { return 0; }
int s2s_pays_blas(double saved) { return (void)saved, 0; }
void s2s_igemm(int ta, int tb, long m, long n, long k, long alpha, const void *a, int of_a,
               long lda, const void *b, int of_b, long ldb, long beta, void *c, int of_c,
               long ldc) {
    (void)ta, (void)tb, (void)m, (void)n, (void)k, (void)alpha, (void)a, (void)of_a, (void)lda;
    (void)b, (void)of_b, (void)ldb, (void)beta, (void)c, (void)of_c, (void)ldc;
}
/* Never called: the guard asks first. */
#define S2S_NONE(T, P)                                                                           \
    void s2s_##P##gemm(int ta, int tb, long m, long n, long k, T alpha, const T *a, long lda,    \
                       const T *b, long ldb, T beta, T *c, long ldc) {                           \
        (void)ta, (void)tb, (void)m, (void)n, (void)k, (void)alpha, (void)a, (void)lda;          \
        (void)b, (void)ldb, (void)beta, (void)c, (void)ldc;                                      \
    }                                                                                            \
    void s2s_##P##gemv(int ta, long m, long n, T alpha, const T *a, long lda, const T *x,        \
                       long incx, T beta, T *y, long incy) {                                     \
        (void)ta, (void)m, (void)n, (void)alpha, (void)a, (void)lda, (void)x, (void)incx;        \
        (void)beta, (void)y, (void)incy;                                                         \
    }                                                                                            \
    void s2s_##P##ger(long m, long n, T alpha, const T *x, long incx, const T *y, long incy,     \
                      T *a, long lda) {                                                          \
        (void)m, (void)n, (void)alpha, (void)x, (void)incx, (void)y, (void)incy, (void)a;        \
        (void)lda;                                                                               \
    }                                                                                            \
    void s2s_##P##dot(long n, T alpha, const T *x, long incx, const T *y, long incy, T beta,     \
                      T *out) {                                                                  \
        (void)n, (void)alpha, (void)x, (void)incx, (void)y, (void)incy, (void)beta, (void)out;   \
    }                                                                                            \
    void s2s_##P##totals(int ta, long m, long n, T alpha, const T *a, long lda, T beta, T *y,    \
                         long incy) {                                                            \
        (void)ta, (void)m, (void)n, (void)alpha, (void)a, (void)lda, (void)beta, (void)y;        \
        (void)incy;                                                                              \
    }                                                                                            \
    void s2s_##P##total(long n, T alpha, const T *x, long incx, T beta, T *out) {                \
        (void)n, (void)alpha, (void)x, (void)incx, (void)beta, (void)out;                        \
    }                                                                                            \
    void s2s_##P##axpy(long n, T alpha, const T *x, long incx, T *y, long incy) {                \
        (void)n, (void)alpha, (void)x, (void)incx, (void)y, (void)incy;                          \
    }                                                                                            \
    void s2s_##P##scal(long n, T alpha, T *x, long incx) {                                       \
        (void)n, (void)alpha, (void)x, (void)incx;                                               \
    }                                                                                            \
    void s2s_##P##syrk(int lower, int ta, long n, long k, T alpha, const T *a, long lda, T beta, \
                       T *c, long ldc) {                                                         \
        (void)lower, (void)ta, (void)n, (void)k, (void)alpha, (void)a, (void)lda, (void)beta;    \
        (void)c, (void)ldc;                                                                      \
    }                                                                                            \
    void s2s_##P##syr2k(int lower, int ta, long n, long k, T alpha, const T *a, long lda,        \
                        const T *b, long ldb, T beta, T *c, long ldc) {                          \
        (void)lower, (void)ta, (void)n, (void)k, (void)alpha, (void)a, (void)lda, (void)b;       \
        (void)ldb, (void)beta, (void)c, (void)ldc;                                               \
    }
S2S_NONE(float, s)
S2S_NONE(double, d)
#endif

/* ---- windows */

typedef struct {
    long images, groups, outputs, inputs;
    long count[3], points[3], kernel[3], stride[3], dilation[3], before[3];
    long s[6], w[6], t[6];
    float beta;
    int pools;
} windows;

#define S2S_PACK                                                                                 \
    {images, groups, outputs, inputs, {n0, n1, n2}, {p0, p1, p2}, {k0, k1, k2}, {r0, r1, r2},    \
     {d0, d1, d2}, {b0, b1, b2}, {s0, s1, s2, s3, s4, s5}, {w0, w1, w2, w3, w4, w5},             \
     {t0, t1, t2, t3, t4, t5}, 0, 0}

/* The element that a tap of a window sees along one axis; -1 where that is padding. */
static inline long seen(const windows *p, int axis, long window, long tap) {
    long i = window * p->stride[axis] + tap * p->dilation[axis] - p->before[axis];
    return i < p->points[axis] ? i : -1;
}

/* Whether some taps of windows see padding. */
static int is_padded(const windows *p) {
    for (int k = 0; k < 3; k++) {
        long last = (p->count[k] - 1) * p->stride[k] + (p->kernel[k] - 1) * p->dilation[k];
        if (p->before[k] > 0 || last - p->before[k] >= p->points[k]) return 1;
    }
    return 0;
}

/* Products of a sum. */
static long terms_of(const windows *p) {
    return p->inputs * p->kernel[0] * p->kernel[1] * p->kernel[2];
}

/* Whether the weights of a group lie one after the other. */
static int are_in_order(const windows *p) {
    long after = 1;
    for (int k = 2; k >= 0; after *= p->kernel[k], k--)
        if (p->kernel[k] != 1 && p->w[3 + k] != after) return 0;
    return (p->inputs == 1 || p->w[2] == after) &&
           (p->outputs == 1 || p->w[1] == after * p->inputs);
}

/* Convolutions in the source's own order; and whether no weight makes padding anything but 0,
   which libraries multiply with. */
#define S2S_LOOPS(T, P)                                                                          \
    static void P##loops(const windows *p, T alpha, const T *source, const T *weight, T beta,    \
                         T *target) {                                                            \
        for (long n = 0; n < p->images; n++)                                                     \
        for (long g = 0; g < p->groups; g++)                                                     \
        for (long o = 0; o < p->outputs; o++)                                                    \
        for (long z = 0; z < p->count[0]; z++)                                                   \
        for (long y = 0; y < p->count[1]; y++)                                                   \
        for (long x = 0; x < p->count[2]; x++) {                                                 \
            T *to = target + n * p->t[0] + g * p->t[1] + o * p->t[2] + z * p->t[3] +             \
                    y * p->t[4] + x * p->t[5];                                                   \
            T sum = 0;                                                                           \
            for (long c = 0; c < p->inputs; c++)                                                 \
            for (long a = 0; a < p->kernel[0]; a++)                                              \
            for (long r = 0; r < p->kernel[1]; r++)                                              \
            for (long k = 0; k < p->kernel[2]; k++) {                                            \
                long h = seen(p, 0, z, a), i = seen(p, 1, y, r), j = seen(p, 2, x, k);           \
                if (h < 0 || i < 0 || j < 0) continue;                                           \
                sum += source[n * p->s[0] + g * p->s[1] + c * p->s[2] + h * p->s[3] +            \
                              i * p->s[4] + j * p->s[5]] *                                       \
                       weight[g * p->w[0] + o * p->w[1] + c * p->w[2] + a * p->w[3] +            \
                              r * p->w[4] + k * p->w[5]];                                        \
            }                                                                                    \
            *to = beta == 0 ? alpha * sum : beta * *to + alpha * sum;                            \
        }                                                                                        \
    }                                                                                            \
    static inline int P##exact(const windows *p, const T *weight) {                              \
        long terms = terms_of(p), kernel = p->kernel[2];                                         \
        int bad = 0;                                                                             \
        if (!is_padded(p)) return 1;                                                             \
        for (long g = 0; g < p->groups; g++) {                                                   \
            const T *w = weight + g * p->w[0];                                                   \
            if (are_in_order(p))                                                                 \
                for (long e = 0; e < p->outputs * terms; e++) bad |= w[e] * 0 != 0;              \
            else                                                                                 \
                for (long o = 0; o < p->outputs; o++)                                            \
                for (long c = 0; c < p->inputs; c++)                                             \
                for (long a = 0; a < p->kernel[0]; a++)                                          \
                for (long r = 0; r < p->kernel[1]; r++)                                          \
                for (long k = 0; k < kernel; k++)                                                \
                    bad |= w[o * p->w[1] + c * p->w[2] + a * p->w[3] + r * p->w[4] +             \
                             k * p->w[5]] * 0 != 0;                                              \
        }                                                                                        \
        return !bad;                                                                             \
    }

#ifdef S2S_WITH_BLAS
#include <stdlib.h>
#include <string.h>

/* What windows from one on see, a row for each channel and tap (im2col). */
#define S2S_COLUMNS(T, P)                                                                        \
    static void P##columns(const windows *p, const T *source, long first, long many, T *to) {    \
        long wide = p->count[2], high = p->count[1], step = p->stride[2], next = step * p->s[5]; \
        long x0 = first % wide, y0 = first / wide % high, z0 = first / wide / high;              \
        for (long c = 0; c < p->inputs; c++)                                                     \
        for (long a = 0; a < p->kernel[0]; a++)                                                  \
        for (long r = 0; r < p->kernel[1]; r++)                                                  \
        for (long k = 0; k < p->kernel[2]; k++)                                                  \
        for (long done = 0, x = x0, y = y0, z = z0; done < many;) {                              \
            long run = wide - x < many - done ? wide - x : many - done;                          \
            long h = seen(p, 0, z, a), i = seen(p, 1, y, r);                                     \
            long j = x * step + k * p->dilation[2] - p->before[2];                               \
            long low = j >= 0 ? 0 : step == 1 ? -j : (-j + step - 1) / step;                     \
            long end = step == 1 ? p->points[2] - j : (p->points[2] - j + step - 1) / step;      \
            if (end > run) end = run;                                                            \
            if (h < 0 || i < 0 || low > end) low = end = run;                                    \
            const T *row = source + c * p->s[2] + h * p->s[3] + i * p->s[4] + j * p->s[5];       \
            long e = 0;                                                                          \
            for (; e < low; e++) to[e] = 0;                                                      \
            if (next == 1) memcpy(to + e, row + e, sizeof(T) * (size_t)(end - low));             \
            else for (; e < end; e++) to[e] = row[e * next];                                     \
            for (e = end; e < run; e++) to[e] = 0;                                               \
            to += run, done += run, x = 0;                                                       \
            if (++y == high) y = 0, z++;                                                         \
        }                                                                                        \
    }

/* Whether the points of a target lie one after the other, as far apart as the last axis says. */
static int in_a_row(const windows *p) {
    return (p->count[1] == 1 || p->t[4] == p->count[2] * p->t[5]) &&
           (p->count[0] == 1 || p->t[3] == p->count[1] * p->count[2] * p->t[5]);
}

#ifndef S2S_BLOCK
#define S2S_BLOCK 262144 /* elements that are written out at a time */
#endif

#define S2S_CONVOLUTION(T, P)                                                                    \
    S2S_LOOPS(T, P)                                                                              \
    S2S_COLUMNS(T, P)                                                                            \
    static void P##products(const windows *p, T alpha, const T *weights, T *columns, T *out,     \
                            const T *source, T beta, T *target, long block) {                    \
        long terms = p->inputs * p->kernel[0] * p->kernel[1] * p->kernel[2];                     \
        long wide = p->count[2], high = p->count[1], step = p->t[5];                             \
        long all = wide * high * p->count[0], rows = p->outputs, next = p->t[2];                 \
        for (long at = 0; at < all; at += block) {                                               \
            long many = block < all - at ? block : all - at;                                     \
            P##columns(p, source, at, many, columns);                                            \
            if (!out && step == 1 && next >= all) {                                              \
                s2s_##P##gemm(0, 0, rows, many, terms, alpha, weights, terms, columns, many,     \
                              beta, target + at, next);                                          \
                continue;                                                                        \
            }                                                                                    \
            if (!out) {                                                                          \
                s2s_##P##gemm(1, 1, many, rows, terms, alpha, columns, many, weights, terms,     \
                              beta, target + at * step, step);                                   \
                continue;                                                                        \
            }                                                                                    \
            s2s_##P##gemm(0, 0, rows, many, terms, alpha, weights, terms, columns, many, 0, out, \
                          many);                                                                 \
            for (long o = 0; o < rows; o++)                                                      \
            for (long e = 0; e < many; e++) {                                                    \
                long x = (at + e) % wide, line = (at + e) / wide;                                \
                T *to = target + o * next + line / high * p->t[3] + line % high * p->t[4] +      \
                        x * step;                                                                \
                *to = beta == 0 ? out[o * many + e] : beta * *to + out[o * many + e];            \
            }                                                                                    \
        }                                                                                        \
    }                                                                                            \
    void s2s_##P##convolution(S2S_WINDOWS, T alpha, const T *source, const T *weight, T beta,    \
                              T *target) {                                                       \
        windows given = S2S_PACK, *p = &given;                                                   \
        long all = n0 * n1 * n2, terms = inputs * k0 * k1 * k2;                                  \
        long block = S2S_BLOCK / terms < 4 ? 4 : S2S_BLOCK / terms;                              \
        if (block > all) block = all;                                                            \
        int direct = in_a_row(p) && ((t5 == 1 && t2 >= all) || (t2 == 1 && t5 >= outputs));      \
        long copied = are_in_order(p) ? 0 : terms * outputs;                                     \
        T *memory = malloc(sizeof(T) * (size_t)(copied + terms * block +                         \
                                                (direct ? 0 : outputs * block)));                \
        if (!memory || !P##exact(p, weight)) {                                                   \
            free(memory);                                                                        \
            P##loops(p, alpha, source, weight, beta, target);                                    \
            return;                                                                              \
        }                                                                                        \
        T *columns = memory + copied;                                                            \
        for (long g = 0; g < groups; g++) {                                                      \
            T *to = memory;                                                                      \
            if (copied)                                                                          \
                for (long o = 0; o < outputs; o++)                                               \
                for (long c = 0; c < inputs; c++)                                                \
                for (long a = 0; a < k0; a++)                                                    \
                for (long r = 0; r < k1; r++)                                                    \
                for (long k = 0; k < k2; k++)                                                    \
                    *to++ = weight[g * w0 + o * w1 + c * w2 + a * w3 + r * w4 + k * w5];         \
            for (long n = 0; n < images; n++)                                                    \
                P##products(p, alpha, copied ? memory : weight + g * w0, columns,                \
                            direct ? NULL : columns + terms * block, source + n * s0 + g * s1,   \
                            beta, target + n * t0 + g * t1, block);                              \
        }                                                                                        \
        free(memory);                                                                            \
    }
#else
#define S2S_CONVOLUTION(T, P)                                                                    \
    S2S_LOOPS(T, P)                                                                              \
    void s2s_##P##convolution(S2S_WINDOWS, T alpha, const T *source, const T *weight, T beta,    \
                              T *target) {                                                       \
        windows given = S2S_PACK;                                                                \
        P##loops(&given, alpha, source, weight, beta, target);                                   \
    }
#endif
S2S_CONVOLUTION(float, s)
S2S_CONVOLUTION(double, d)

#ifdef S2S_WITH_ONEDNN
#include <float.h>
#include <pthread.h>
#include <string.h>

int s2s_has_onednn(void) { return is_loaded(&onednn); }
int s2s_pays_onednn(double saved) { return pays(&onednn, saved); }

/* Maxima in the source's own order, for what oneDNN refuses. */
static void maxima(const windows *p, const float *source, float *target) {
    for (long n = 0; n < p->images; n++)
    for (long o = 0; o < p->outputs; o++)
    for (long z = 0; z < p->count[0]; z++)
    for (long y = 0; y < p->count[1]; y++)
    for (long x = 0; x < p->count[2]; x++) {
        float most = -FLT_MAX;
        for (long a = 0; a < p->kernel[0]; a++)
        for (long r = 0; r < p->kernel[1]; r++)
        for (long k = 0; k < p->kernel[2]; k++) {
            long h = seen(p, 0, z, a), i = seen(p, 1, y, r), j = seen(p, 2, x, k);
            if (h < 0 || i < 0 || j < 0) continue;
            float value = source[n * p->s[0] + o * p->s[2] + h * p->s[3] + i * p->s[4] +
                                 j * p->s[5]];
            if (value > most) most = value;
        }
        target[n * p->t[0] + o * p->t[2] + z * p->t[3] + y * p->t[4] + x * p->t[5]] = most;
    }
}

/* Whether an image is finite throughout: what oneDNN makes of NaN is not what C says. */
static int has_numbers(const windows *p, const float *source) {
    float sum = 0;
    for (long n = 0; n < p->images; n++)
    for (long o = 0; o < p->outputs; o++)
    for (long z = 0; z < p->points[0]; z++)
    for (long y = 0; y < p->points[1]; y++)
    for (long x = 0; x < p->points[2]; x++)
        sum += 0 * source[n * p->s[0] + o * p->s[2] + z * p->s[3] + y * p->s[4] + x * p->s[5]];
    return sum == 0;
}

static void loops(const windows *p, const float *source, const float *weight, float *target) {
    if (p->pools) maxima(p, source, target);
    else sloops(p, 1, source, weight, p->beta, target);
}

/* What oneDNN needs for windows of one shape; kept, as making it takes long. */
typedef struct {
    windows key;
    dnnl_primitive_t main, in[3], out;
    dnnl_memory_t user[3], own[3]; /* source, weights, target */
} plan;

#define KEPT 64
static plan plans[KEPT];
static int kept;
static dnnl_engine_t engine;
static dnnl_stream_t stream;

static long step(long own, long group, long count) { return count == 1 && group ? group : own; }

/* Steps of a memory with the dimensions of a shape; those of one element are never taken. */
static int steps(int count, const long *shape, const long *given, dnnl_dims_t own) {
    long around = 1;
    for (int k = count - 1; k >= 0; k--) {
        own[k] = given[k] || shape[k] != 1 ? given[k] : around;
        around *= shape[k];
    }
    return 1;
}

/* The first axis that has more than one point; at most 1, as two axes are usual. */
static int first_axis(const windows *p) {
    return p->count[0] == 1 && p->points[0] == 1 && p->kernel[0] == 1;
}

/* Descriptions of the three memories as they lie; 0 where oneDNN has none. */
static int describe(const windows *p, dnnl_memory_desc_t md[3]) {
    int skip = first_axis(p), axes = 3 - skip, first = p->groups == 1;
    long in = p->pools ? p->outputs : p->inputs;
    dnnl_dims_t source = {p->images, p->groups * in}, target = {p->images, p->groups * p->outputs};
    dnnl_dims_t weight = {p->groups, p->outputs, p->inputs};
    dnnl_dims_t s = {p->s[0], step(p->s[2], p->s[1], in)};
    dnnl_dims_t t = {p->t[0], step(p->t[2], p->t[1], p->outputs)};
    dnnl_dims_t w = {p->w[0], p->w[1], p->w[2]}, a, b, c;
    for (int k = 0; k < axes; k++) {
        source[2 + k] = p->points[k + skip], s[2 + k] = p->s[3 + k + skip];
        target[2 + k] = p->count[k + skip], t[2 + k] = p->t[3 + k + skip];
        weight[3 + k] = p->kernel[k + skip], w[3 + k] = p->w[3 + k + skip];
    }
    steps(2 + axes, source, s, a), steps(2 + axes, target, t, b), steps(3 + axes, weight, w, c);
    return dnnl_memory_desc_init_by_strides(&md[0], 2 + axes, source, dnnl_f32, a) ==
               dnnl_success &&
           (p->pools ||
            dnnl_memory_desc_init_by_strides(&md[1], 3 + axes - first, weight + first, dnnl_f32,
                                             c + first) == dnnl_success) &&
           dnnl_memory_desc_init_by_strides(&md[2], 2 + axes, target, dnnl_f32, b) == dnnl_success;
}

static int any(dnnl_memory_desc_t *to, const dnnl_memory_desc_t *like) {
    return dnnl_memory_desc_init_by_tag(to, like->ndims, like->dims, dnnl_f32,
                                        dnnl_format_tag_any) == dnnl_success;
}

static int reorder(dnnl_primitive_t *made, dnnl_memory_t from, dnnl_memory_t to) {
    const dnnl_memory_desc_t *a, *b;
    dnnl_primitive_desc_t pd;
    dnnl_memory_get_memory_desc(from, &a);
    dnnl_memory_get_memory_desc(to, &b);
    if (dnnl_reorder_primitive_desc_create(&pd, a, engine, b, engine, NULL) != dnnl_success)
        return 0;
    int done = dnnl_primitive_create(made, pd) == dnnl_success;
    dnnl_primitive_desc_destroy(pd);
    return done;
}

static int make(plan *p) {
    const windows *k = &p->key;
    dnnl_memory_desc_t md[3], free_md[3];
    if (!engine && (dnnl_engine_create(&engine, dnnl_cpu, 0) != dnnl_success ||
                    dnnl_stream_create(&stream, engine, dnnl_stream_default_flags) != dnnl_success))
        return 0;
    if (!describe(k, md)) return 0;
    dnnl_dims_t strides, kernel, gaps, before, after;
    int skip = first_axis(k);
    for (int a = 0; a < 3 - skip; a++) {
        int b = a + skip;
        strides[a] = k->stride[b], kernel[a] = k->kernel[b], gaps[a] = k->dilation[b] - 1;
        before[a] = k->before[b];
        after[a] = (k->count[b] - 1) * k->stride[b] + (k->kernel[b] - 1) * k->dilation[b] + 1 -
                   k->points[b] - before[a];
        if (after[a] < 0) { /* points that no window reaches */
            md[0].dims[2 + a] += after[a];
            md[0].padded_dims[2 + a] += after[a];
            after[a] = 0;
        }
        if (md[0].dims[2 + a] < 1) return 0;
    }
    dnnl_primitive_desc_t pd;
    dnnl_primitive_attr_t attributes = NULL;
    int failed;
    if (k->pools) {
        dnnl_pooling_v2_desc_t d;
        failed = dnnl_pooling_v2_forward_desc_init(&d, dnnl_forward_inference, dnnl_pooling_max,
                                                   &md[0], &md[2], strides, kernel, gaps, before,
                                                   after) != dnnl_success ||
                 dnnl_primitive_desc_create(&pd, &d, NULL, engine, NULL) != dnnl_success;
    } else {
        dnnl_convolution_desc_t d;
        for (int m = 0; m < 3; m++)
            if (!any(&free_md[m], &md[m])) return 0;
        if (k->beta != 0) {
            dnnl_post_ops_t ops;
            dnnl_primitive_attr_create(&attributes);
            dnnl_post_ops_create(&ops);
            dnnl_post_ops_append_sum(ops, k->beta);
            dnnl_primitive_attr_set_post_ops(attributes, ops);
            dnnl_post_ops_destroy(ops);
        }
        failed = dnnl_dilated_convolution_forward_desc_init(
                     &d, dnnl_forward_inference, dnnl_convolution_direct, &free_md[0], &free_md[1],
                     NULL, &free_md[2], strides, gaps, before, after) != dnnl_success ||
                 dnnl_primitive_desc_create(&pd, &d, attributes, engine, NULL) != dnnl_success;
    }
    if (attributes) dnnl_primitive_attr_destroy(attributes);
    if (failed) return 0;
    dnnl_query_t queries[3] = {dnnl_query_src_md, dnnl_query_weights_md, dnnl_query_dst_md};
    for (int m = 0; m < 3 && !failed; m++) {
        if (m == 1 && k->pools) continue;
        const dnnl_memory_desc_t *wanted = dnnl_primitive_desc_query_md(pd, queries[m], 0);
        failed = dnnl_memory_create(&p->user[m], &md[m], engine, DNNL_MEMORY_NONE) != dnnl_success;
        if (failed || dnnl_memory_desc_equal(wanted, &md[m])) continue;
        failed = dnnl_memory_create(&p->own[m], wanted, engine, DNNL_MEMORY_ALLOCATE) !=
                     dnnl_success ||
                 ((m < 2 || k->beta != 0) && !reorder(&p->in[m], p->user[m], p->own[m])) ||
                 (m == 2 && !reorder(&p->out, p->own[m], p->user[m]));
    }
    failed = failed || dnnl_primitive_create(&p->main, pd) != dnnl_success;
    dnnl_primitive_desc_destroy(pd);
    return !failed;
}

static void copy(dnnl_primitive_t reorder, dnnl_memory_t from, dnnl_memory_t to) {
    dnnl_exec_arg_t args[2] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    dnnl_primitive_execute(reorder, stream, 2, args);
}

static void run(plan *p, const float *source, const float *weight, float *target) {
    void *data[3] = {(void *)source, (void *)weight, target};
    dnnl_memory_t used[3];
    for (int m = 0; m < 3; m++) {
        if (!p->user[m]) continue;
        dnnl_memory_set_data_handle(p->user[m], data[m]);
        used[m] = p->own[m] ? p->own[m] : p->user[m];
        if (p->in[m]) copy(p->in[m], p->user[m], p->own[m]);
    }
    dnnl_exec_arg_t args[3] = {{DNNL_ARG_SRC, used[0]}, {DNNL_ARG_DST, used[2]},
                               {DNNL_ARG_WEIGHTS, p->user[1] ? used[1] : NULL}};
    dnnl_primitive_execute(p->main, stream, p->user[1] ? 3 : 2, args);
    if (p->out) copy(p->out, p->own[2], p->user[2]);
    dnnl_stream_wait(stream);
}

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void find(const windows *key, const float *source, const float *weight, float *target) {
    for (int k = 0; k < kept; k++)
        if (!memcmp(&plans[k].key, key, sizeof *key)) {
            if (plans[k].main) run(&plans[k], source, weight, target);
            else loops(key, source, weight, target);
            return;
        }
    if (kept == KEPT) {
        loops(key, source, weight, target);
        return;
    }
    plan *p = &plans[kept++];
    memset(p, 0, sizeof *p);
    memcpy(&p->key, key, sizeof *key);
    if (!make(p)) p->main = NULL;
    if (p->main) run(p, source, weight, target);
    else loops(key, source, weight, target);
}

static void apply(const windows *key, const float *source, const float *weight, float *target) {
    pthread_mutex_lock(&one_at_a_time); /* plans have memory of their own */
    find(key, source, weight, target);
    pthread_mutex_unlock(&one_at_a_time);
}

void s2s_convolution(S2S_WINDOWS, const float *source, const float *weight, float beta,
                     float *target) {
    windows key, given = S2S_PACK;
    memset(&key, 0, sizeof key);
    key = given;
    key.beta = beta;
    if (sexact(&key, weight)) apply(&key, source, weight, target);
    else sloops(&key, 1, source, weight, beta, target);
}

void s2s_pool_max(S2S_WINDOWS, const float *source, float *target) {
    windows key, given = S2S_PACK;
    memset(&key, 0, sizeof key);
    key = given;
    key.pools = 1;
    if (has_numbers(&key, source)) apply(&key, source, NULL, target);
    else maxima(&key, source, target);
}
#else
int s2s_has_onednn(void) { return 0; }
int s2s_pays_onednn(double saved) { return (void)saved, 0; }
void s2s_convolution(S2S_WINDOWS, const float *source, const float *weight, float beta,
                     float *target) {
    windows none = S2S_PACK;
    (void)none, (void)source, (void)weight, (void)beta, (void)target;
}
void s2s_pool_max(S2S_WINDOWS, const float *source, float *target) {
    windows none = S2S_PACK;
    (void)none, (void)source, (void)target;
}
#endif
#include "s2s_elements.h"
