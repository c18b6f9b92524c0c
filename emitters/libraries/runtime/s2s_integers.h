/* s2s: products of matrices of integers, exact, by BLAS's floating-point functions; a part of
   s2s_libraries.c.

   What a type of floating point holds exactly has 24 or 53 bits. Where the largest absolute values
   say that no sum of products has more, each product, and each sum of some of them in whatever
   order, is an integer that is held exactly: nothing is rounded. Elsewhere loops compute it. What
   does not fit the result's type wraps around, as the loops of a program do where that is defined. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* A matrix as it lies in memory: ``of`` is the size of its elements in bytes, less than 0 with sign. */
typedef struct {
    const void *at;
    int of;
    long rows, columns, leading;
} s2s_matrix;

#define S2S_OF(of, DO)                                                                           \
    switch (of) {                                                                                \
    case -1: DO(int8_t) break;                                                                   \
    case 1: DO(uint8_t) break;                                                                   \
    case -2: DO(int16_t) break;                                                                  \
    case 2: DO(uint16_t) break;                                                                  \
    case -4: DO(int32_t) break;                                                                  \
    case 4: DO(uint32_t) break;                                                                  \
    case -8: DO(int64_t) break;                                                                  \
    default: DO(uint64_t)                                                                        \
    }

/* The largest absolute value, perhaps rounded. */
static double s2s_most(const s2s_matrix *m) {
    double most = 0;
#define S2S_MOST(T)                                                                              \
    {                                                                                            \
        T high = 0, low = 0;                                                                     \
        for (long i = 0; i < m->rows; i++)                                                       \
        for (long j = 0; j < m->columns; j++) {                                                  \
            T x = ((const T *)m->at)[i * m->leading + j];                                        \
            high = x > high ? x : high, low = x < low ? x : low;                                 \
        }                                                                                        \
        most = fmax((double)high, -(double)low);                                                 \
    }
    S2S_OF(m->of, S2S_MOST)
    return most;
}

static uint64_t s2s_bits(const s2s_matrix *m, long i, long j) {
#define S2S_BITS(T) return (uint64_t)((const T *)m->at)[i * m->leading + j];
    S2S_OF(m->of, S2S_BITS)
}

/* c = beta * c + sum, an element of ``of`` bytes. */
static void s2s_store(void *c, int of, uint64_t beta, uint64_t sum) {
    if (of == 4 || of == -4) {
        uint32_t *to = c;
        *to = (uint32_t)((beta ? beta * *to : 0) + sum);
    } else {
        uint64_t *to = c;
        *to = (beta ? beta * *to : 0) + sum;
    }
}

#define S2S_EXACT(F, P)                                                                          \
    static void P##copied(const s2s_matrix *m, F *to) {                                          \
        S2S_OF(m->of, S2S_COPIED)                                                                \
    }                                                                                            \
    /* The sums of products, m->columns of each row; NULL: no memory. */                         \
    static F *P##sums(int ta, int tb, const s2s_matrix *a, const s2s_matrix *b, long m, long n,  \
                      long k) {                                                                  \
        F *all = malloc(sizeof(F) * ((size_t)m * n + (size_t)m * k + (size_t)k * n));            \
        if (!all) return NULL;                                                                   \
        F *first = all + m * n, *second = first + m * k;                                         \
        P##copied(a, first), P##copied(b, second);                                               \
        cblas_##P##gemm(CblasRowMajor, S2S_TRANS(ta), S2S_TRANS(tb), (int)m, (int)n, (int)k, 1,  \
                        first, (int)a->columns, second, (int)b->columns, 0, all, (int)n);        \
        return all;                                                                              \
    }                                                                                            \
    static int P##integers(int ta, int tb, const s2s_matrix *a, const s2s_matrix *b, long m,     \
                           long n, long k, uint64_t alpha, uint64_t beta, char *c, int of,       \
                           long ldc) {                                                           \
        F *all = P##sums(ta, tb, a, b, m, n, k);                                                 \
        long size = of < 0 ? -of : of;                                                           \
        for (long i = 0; all && i < m; i++)                                                      \
        for (long j = 0; j < n; j++)                                                             \
            s2s_store(c + (i * ldc + j) * size, of, beta,                                        \
                      alpha * (uint64_t)(int64_t)all[i * n + j]);                                \
        free(all);                                                                               \
        return all != NULL;                                                                      \
    }
#define S2S_COPIED(T)                                                                            \
    for (long i = 0; i < m->rows; i++)                                                           \
    for (long j = 0; j < m->columns; j++)                                                        \
        *to++ = ((const T *)m->at)[i * m->leading + j];
S2S_EXACT(float, s)
S2S_EXACT(double, d)

void s2s_igemm(int ta, int tb, long m, long n, long k, long alpha, const void *a, int of_a,
               long lda, const void *b, int of_b, long ldb, long beta, void *c, int of_c,
               long ldc) {
    s2s_matrix first = {a, of_a, ta ? k : m, ta ? m : k, lda};
    s2s_matrix second = {b, of_b, tb ? n : k, tb ? k : n, ldb};
    uint64_t by = (uint64_t)alpha, old = (uint64_t)beta;
    double most = s2s_most(&first) * s2s_most(&second) * (double)k;
    if (most <= 0x1p24 && sintegers(ta, tb, &first, &second, m, n, k, by, old, c, of_c, ldc))
        return;
    if (most <= 0x1p52 && dintegers(ta, tb, &first, &second, m, n, k, by, old, c, of_c, ldc))
        return;
    long size = of_c < 0 ? -of_c : of_c;
    for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
        uint64_t sum = 0;
        for (long p = 0; p < k; p++)
            sum += s2s_bits(&first, ta ? p : i, ta ? i : p) *
                   s2s_bits(&second, tb ? j : p, tb ? p : j);
        s2s_store((char *)c + (i * ldc + j) * size, of_c, old, by * sum);
    }
}
