/* s2s: each result of a library's call against sums in a wider type, for `s2s verify`.

   Linked with -Wl,--wrap=s2s_sgemm and so on, so that the program is checked as it is shipped. A
   result is within bounds if it differs from the one in the wider type (double for float, long
   double for double) by at most

       (terms + 2) * epsilon * (|beta * old| + the sum of |alpha * a * b|),

   which holds for any order of the sum. Of large results evenly spaced rows are checked. At the
   end "calls results worst" is written to the file S2S_CHECKED, worst as a share of that bound. */
#include "s2s_libraries.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long calls, results;
static double worst;

static void write_all(void) {
    const char *path = getenv("S2S_CHECKED");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%lu %lu %.6g\n", calls, results, worst);
    fclose(file);
}

static void begin(void) {
    if (!calls++) atexit(write_all);
}

static void judge(double off, double scale, double terms, double epsilon, double least) {
    double part = off / ((terms + 2) * (epsilon * scale + least));
    results++;
    if (!(part <= worst)) worst = part == part ? part : INFINITY;
}

/* How many rows are between two that are checked, if each of them takes some work. */
static long apart(long rows, double work) {
    double all = (double)rows * work / 2e8;
    return all > 1 ? (long)all + 1 : 1;
}

/* Both not finite is the same: their sum is not. */
#define S2S_JUDGE(T, W, EPSILON, LEAST)                                                          \
    do {                                                                                         \
        W got = (W)(result), exact = (W)(sum);                                                   \
        if (isfinite((T)exact) && isfinite((double)scale))                                       \
            judge((double)fabsl((long double)(got - exact)), (double)scale, (double)(terms),     \
                  EPSILON, LEAST);                                                               \
    } while (0)

static void *kept(const void *from, long rows, long columns, long step, long next, size_t size) {
    char *to = malloc((size_t)rows * (size_t)columns * size);
    if (!to) abort();
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns; j++)
            for (size_t k = 0; k < size; k++)
                to[((size_t)i * (size_t)columns + (size_t)j) * size + k] =
                    ((const char *)from)[(size_t)(i * step + j * next) * size + k];
    return to;
}

#define S2S_CHECKED(T, P, W, EPSILON, LEAST)                                                     \
    static void P##product(long m, long n, long k, T alpha, const T *a, long ai, long ak,        \
                           const T *b, long bk, long bj, T beta, const T *old, const T *c,       \
                           long ci, long cj, int triangle, const T *a2, const T *b2) {           \
        for (long i = 0; i < m; i += apart(m, (double)n * (double)k))                            \
        for (long j = triangle > 0 ? i : 0; j < (triangle < 0 ? i + 1 : n); j++) {               \
            W was = beta == 0 ? 0 : (W)beta * (W)old[i * n + j];                                 \
            W sum = was, scale = was < 0 ? -was : was;                                           \
            for (long l = 0; l < k; l++) {                                                       \
                W term = (W)alpha * (W)a[i * ai + l * ak] * (W)b[l * bk + j * bj];               \
                sum += term, scale += term < 0 ? -term : term;                                   \
                if (!a2) continue;                                                               \
                term = (W)alpha * (W)a2[i * ai + l * ak] * (W)b2[l * bk + j * bj];               \
                sum += term, scale += term < 0 ? -term : term;                                   \
            }                                                                                    \
            T result = c[i * ci + j * cj];                                                       \
            long terms = a2 ? 2 * k : k;                                                         \
            S2S_JUDGE(T, W, EPSILON, LEAST);                                                     \
        }                                                                                        \
    }                                                                                            \
    void __real_s2s_##P##gemm(int, int, long, long, long, T, const T *, long, const T *, long,   \
                              T, T *, long);                                                     \
    void __wrap_s2s_##P##gemm(int ta, int tb, long m, long n, long k, T alpha, const T *a,       \
                              long lda, const T *b, long ldb, T beta, T *c, long ldc) {          \
        T *old = kept(c, m, n, ldc, 1, sizeof(T));                                               \
        begin();                                                                                 \
        __real_s2s_##P##gemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);              \
        P##product(m, n, k, alpha, a, ta ? 1 : lda, ta ? lda : 1, b, tb ? 1 : ldb,               \
                   tb ? ldb : 1, beta, old, c, ldc, 1, 0, NULL, NULL);                           \
        free(old);                                                                               \
    }                                                                                            \
    void __real_s2s_##P##gemv(int, long, long, T, const T *, long, const T *, long, T, T *,      \
                              long);                                                             \
    void __wrap_s2s_##P##gemv(int ta, long m, long n, T alpha, const T *a, long lda,             \
                              const T *x, long incx, T beta, T *y, long incy) {                  \
        long rows = ta ? n : m, k = ta ? m : n;                                                  \
        T *old = kept(y, rows, 1, incy, 1, sizeof(T));                                           \
        begin();                                                                                 \
        __real_s2s_##P##gemv(ta, m, n, alpha, a, lda, x, incx, beta, y, incy);                   \
        P##product(rows, 1, k, alpha, a, ta ? 1 : lda, ta ? lda : 1, x, incx, 1, beta, old, y,   \
                   incy, 1, 0, NULL, NULL);                                                      \
        free(old);                                                                               \
    }                                                                                            \
    void __real_s2s_##P##ger(long, long, T, const T *, long, const T *, long, T *, long);        \
    void __wrap_s2s_##P##ger(long m, long n, T alpha, const T *x, long incx, const T *y,         \
                             long incy, T *a, long lda) {                                        \
        T *old = kept(a, m, n, lda, 1, sizeof(T));                                               \
        begin();                                                                                 \
        __real_s2s_##P##ger(m, n, alpha, x, incx, y, incy, a, lda);                              \
        P##product(m, n, 1, alpha, x, incx, 1, y, 1, incy, 1, old, a, lda, 1, 0, NULL, NULL);    \
        free(old);                                                                               \
    }                                                                                            \
    void __real_s2s_##P##dot(long, T, const T *, long, const T *, long, T, T *);                 \
    void __wrap_s2s_##P##dot(long n, T alpha, const T *x, long incx, const T *y, long incy,      \
                             T beta, T *out) {                                                   \
        T old = *out;                                                                            \
        begin();                                                                                 \
        __real_s2s_##P##dot(n, alpha, x, incx, y, incy, beta, out);                              \
        P##product(1, 1, n, alpha, x, 1, incx, y, incy, 1, beta, &old, out, 1, 1, 0, NULL,       \
                   NULL);                                                                        \
    }                                                                                            \
    void __real_s2s_##P##totals(int, long, long, T, const T *, long, T, T *, long);              \
    void __wrap_s2s_##P##totals(int ta, long m, long n, T alpha, const T *a, long lda, T beta,   \
                                T *y, long incy) {                                               \
        static const T one = 1;                                                                  \
        long rows = ta ? n : m, k = ta ? m : n;                                                  \
        T *old = kept(y, rows, 1, incy, 1, sizeof(T));                                           \
        begin();                                                                                 \
        __real_s2s_##P##totals(ta, m, n, alpha, a, lda, beta, y, incy);                          \
        P##product(rows, 1, k, alpha, a, ta ? 1 : lda, ta ? lda : 1, &one, 0, 1, beta, old, y,   \
                   incy, 1, 0, NULL, NULL);                                                      \
        free(old);                                                                               \
    }                                                                                            \
    void __real_s2s_##P##total(long, T, const T *, long, T, T *);                                \
    void __wrap_s2s_##P##total(long n, T alpha, const T *x, long incx, T beta, T *out) {         \
        static const T one = 1;                                                                  \
        T old = *out;                                                                            \
        begin();                                                                                 \
        __real_s2s_##P##total(n, alpha, x, incx, beta, out);                                     \
        P##product(1, 1, n, alpha, x, 1, incx, &one, 0, 1, beta, &old, out, 1, 1, 0, NULL, NULL);\
    }                                                                                            \
    void __real_s2s_##P##syrk(int, int, long, long, T, const T *, long, T, T *, long);           \
    void __wrap_s2s_##P##syrk(int lower, int ta, long n, long k, T alpha, const T *a, long lda,  \
                              T beta, T *c, long ldc) {                                          \
        T *old = kept(c, n, n, ldc, 1, sizeof(T));                                               \
        long step = ta ? 1 : lda, next = ta ? lda : 1;                                           \
        begin();                                                                                 \
        __real_s2s_##P##syrk(lower, ta, n, k, alpha, a, lda, beta, c, ldc);                      \
        P##product(n, n, k, alpha, a, step, next, a, next, step, beta, old, c, ldc, 1,           \
                   lower ? -1 : 1, NULL, NULL);                                                  \
        free(old);                                                                               \
    }                                                                                            \
    void __real_s2s_##P##syr2k(int, int, long, long, T, const T *, long, const T *, long, T,     \
                               T *, long);                                                       \
    void __wrap_s2s_##P##syr2k(int lower, int ta, long n, long k, T alpha, const T *a, long lda, \
                               const T *b, long ldb, T beta, T *c, long ldc) {                   \
        T *old = kept(c, n, n, ldc, 1, sizeof(T));                                               \
        begin();                                                                                 \
        __real_s2s_##P##syr2k(lower, ta, n, k, alpha, a, lda, b, ldb, beta, c, ldc);             \
        if (lda == ldb)                                                                          \
            P##product(n, n, k, alpha, a, ta ? 1 : lda, ta ? lda : 1, b, ta ? ldb : 1,           \
                       ta ? 1 : ldb, beta, old, c, ldc, 1, lower ? -1 : 1, b, a);                \
        free(old);                                                                               \
    }                                                                                            \
    static void P##windows(S2S_WINDOWS, T alpha, const T *source, const T *weight, T beta,       \
                           const T *old, const T *target) {                                      \
        long terms = inputs * k0 * k1 * k2, step = apart(outputs * n0 * n1 * n2, (double)terms); \
        long seen = 0;                                                                           \
        for (long n = 0; n < images; n++) for (long g = 0; g < groups; g++)                      \
        for (long o = 0; o < outputs; o++) for (long z = 0; z < n0; z++)                         \
        for (long y = 0; y < n1; y++) for (long x = 0; x < n2; x++, seen++) {                    \
            if (seen % step) continue;                                                           \
            W was = beta == 0 ? 0 : (W)beta * (W)old[seen];                                      \
            W sum = was, scale = was < 0 ? -was : was;                                           \
            for (long c = 0; c < inputs; c++) for (long a = 0; a < k0; a++)                      \
            for (long r = 0; r < k1; r++) for (long k = 0; k < k2; k++) {                        \
                long h = z * r0 + a * d0 - b0, i = y * r1 + r * d1 - b1, j = x * r2 + k * d2 - b2; \
                if (h < 0 || h >= p0 || i < 0 || i >= p1 || j < 0 || j >= p2) continue;          \
                W term = (W)alpha *                                                              \
                         (W)source[n * s0 + g * s1 + c * s2 + h * s3 + i * s4 + j * s5] *        \
                         (W)weight[g * w0 + o * w1 + c * w2 + a * w3 + r * w4 + k * w5];         \
                sum += term, scale += term < 0 ? -term : term;                                   \
            }                                                                                    \
            T result = target[n * t0 + g * t1 + o * t2 + z * t3 + y * t4 + x * t5];              \
            S2S_JUDGE(T, W, EPSILON, LEAST);                                                     \
        }                                                                                        \
    }                                                                                            \
    static T *P##before(S2S_WINDOWS, const T *target) {                                          \
        size_t count = (size_t)(images * groups * outputs * n0 * n1 * n2);                       \
        T *old = malloc(sizeof(T) * count), *to = old;                                           \
        if (!old) abort();                                                                       \
        S2S_UNUSED;                                                                              \
        for (long n = 0; n < images; n++) for (long g = 0; g < groups; g++)                      \
        for (long o = 0; o < outputs; o++) for (long z = 0; z < n0; z++)                         \
        for (long y = 0; y < n1; y++) for (long x = 0; x < n2; x++)                              \
            *to++ = target[n * t0 + g * t1 + o * t2 + z * t3 + y * t4 + x * t5];                 \
        return old;                                                                              \
    }

#define S2S_UNUSED                                                                               \
    (void)inputs, (void)p0, (void)p1, (void)p2, (void)k0, (void)k1, (void)k2, (void)r0,          \
        (void)r1, (void)r2, (void)d0, (void)d1, (void)d2, (void)b0, (void)b1, (void)b2,          \
        (void)s0, (void)s1, (void)s2, (void)s3, (void)s4, (void)s5, (void)w0, (void)w1,          \
        (void)w2, (void)w3, (void)w4, (void)w5
#define S2S_GIVEN                                                                                \
    images, groups, outputs, inputs, n0, n1, n2, p0, p1, p2, k0, k1, k2, r0, r1, r2, d0, d1, d2, \
        b0, b1, b2, s0, s1, s2, s3, s4, s5, w0, w1, w2, w3, w4, w5, t0, t1, t2, t3, t4, t5

S2S_CHECKED(float, s, double, FLT_EPSILON, FLT_MIN)
S2S_CHECKED(double, d, long double, DBL_EPSILON, DBL_MIN)

#define S2S_CHECKED_WINDOWS(T, P)                                                                \
    void __real_s2s_##P##convolution(S2S_WINDOWS, T, const T *, const T *, T, T *);              \
    void __wrap_s2s_##P##convolution(S2S_WINDOWS, T alpha, const T *source, const T *weight,     \
                                     T beta, T *target) {                                        \
        T *old = P##before(S2S_GIVEN, target);                                                   \
        begin();                                                                                 \
        __real_s2s_##P##convolution(S2S_GIVEN, alpha, source, weight, beta, target);             \
        P##windows(S2S_GIVEN, alpha, source, weight, beta, old, target);                         \
        free(old);                                                                               \
    }
S2S_CHECKED_WINDOWS(float, s)
S2S_CHECKED_WINDOWS(double, d)

void __real_s2s_convolution(S2S_WINDOWS, const float *, const float *, float, float *);
void __wrap_s2s_convolution(S2S_WINDOWS, const float *source, const float *weight, float beta,
                            float *target) {
    float *old = sbefore(S2S_GIVEN, target);
    begin();
    __real_s2s_convolution(S2S_GIVEN, source, weight, beta, target);
    swindows(S2S_GIVEN, 1, source, weight, beta, old, target);
    free(old);
}

/* Softmax and functions of elements: within some units in the last place, and what rounding the
   argument of an exponential makes of it. */
static void judge_value(float got, double exact, double terms) {
    if (isfinite((float)exact)) judge(fabs(got - exact), fabs(exact), terms, FLT_EPSILON, FLT_MIN);
}

void __real_s2s_softmax(long, long, const float *, long, float *, long, float);
void __wrap_s2s_softmax(long rows, long n, const float *x, long ldx, float *y, long ldy,
                        float least) {
    float *old = kept(x, rows, n, ldx, 1, sizeof(float));
    begin();
    __real_s2s_softmax(rows, n, x, ldx, y, ldy, least);
    for (long r = 0; r < rows; r++) {
        const float *from = old + r * n;
        double most = from[0], sum = 0;
        for (long k = 1; k < n; k++)
            if (from[k] > most) most = from[k];
        if (most < least) continue; /* as the source has it, by the C library */
        for (long k = 0; k < n; k++) sum += exp(from[k] - most);
        for (long k = 0; k < n; k++)
            judge_value(y[r * ldy + k], exp(from[k] - most) / sum, n + fabs(from[k] - most) + 4);
    }
    free(old);
}

void __real_s2s_elements(int, long, const float *, float *);
void __wrap_s2s_elements(int function, long n, const float *x, float *y) {
    float *old = kept(x, 1, n, n, 1, sizeof(float));
    begin();
    __real_s2s_elements(function, n, x, y);
    for (long k = 0; k < n; k++) {
        double v = old[k];
        double exact = function == 0 ? exp(v) : function == 1 ? tanh(v) : 1 / (1 + exp(-v));
        judge_value(y[k], exact, 6);
    }
    free(old);
}
