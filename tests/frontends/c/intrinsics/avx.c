#include <immintrin.h>
#include <stdint.h>

#define LOAD(p) _mm256_loadu_pd(p)

double sum(const double *a, long n)
{
    __m256d s0 = _mm256_setzero_pd(), s1 = s0;
    for (long i = 0; i + 8 <= n; i += 8) {
        s0 = _mm256_add_pd(s0, LOAD(a + i));
        s1 = _mm256_add_pd(s1, LOAD(a + i + 4));
    }
    __m256d s = s0 + s1;
    __m128d h = _mm_add_pd(_mm256_castpd256_pd128(s), _mm256_extractf128_pd(s, 1));
    return _mm_cvtsd_f64(_mm_hadd_pd(h, h)) + s[0] * 0;
}

__attribute__((target("avx2,fma"))) void axpy(float *restrict y, const float *restrict x, float a, int n)
{
    __m256 va = _mm256_set1_ps(a);
    int i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, _mm256_fmadd_ps(va, _mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i)));
    for (; i < n; i++)
        y[i] += a * x[i];
}

__attribute__((target("avx2"))) void gather(float *out, const float *table, const int *index, int n)
{
    for (int i = 0; i < n; i += 8) {
        __m256i at = _mm256_loadu_si256((const __m256i *)(index + i));
        _mm256_storeu_ps(out + i, _mm256_i32gather_ps(table, at, 4));
    }
}

__attribute__((target("avx2"))) int32_t total(const int16_t *a, const int16_t *b, int n)
{
    __m256i s = _mm256_setzero_si256();
    for (int i = 0; i < n; i += 16)
        s = _mm256_add_epi32(s, _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)(a + i)),
                                                  _mm256_loadu_si256((const __m256i *)(b + i))));
    __m128i t = _mm_add_epi32(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
    t = _mm_add_epi32(t, _mm_shuffle_epi32(t, _MM_SHUFFLE(1, 0, 3, 2)));
    t = _mm_add_epi32(t, _mm_shuffle_epi32(t, 0xb1));
    return _mm_cvtsi128_si32(t);
}

__attribute__((target("avx2"))) void masked(int *a, const int *b, int n)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (int i = 0; i < n; i += 8) {
        __m256i m = _mm256_cmpgt_epi32(_mm256_set1_epi32(n - i), lanes);
        __m256i v = _mm256_maskload_epi32(b + i, m);
        _mm256_maskstore_epi32(a + i, m, _mm256_slli_epi32(v, 2));
    }
    _mm256_zeroupper();
}

__attribute__((target("avx"))) void threshold(float *a, int n, float t)
{
    __m256 vt = _mm256_set1_ps(t);
    for (int i = 0; i < n; i += 8) {
        __m256 v = _mm256_loadu_ps(a + i);
        __m256 m = _mm256_cmp_ps(v, vt, _CMP_LT_OQ);
        if (_mm256_movemask_ps(m) == 0xff)
            continue;
        _mm256_storeu_ps(a + i, _mm256_blendv_ps(v, _mm256_setzero_ps(), m));
    }
}

__attribute__((target("avx2,fma"))) void micro_kernel(int k, const float *a, const float *b, float *c, int ldc)
{
    __m256 c0 = _mm256_setzero_ps(), c1 = c0, c2 = c0, c3 = c0;
    for (int p = 0; p < k; p++) {
        __m256 vb = _mm256_load_ps(b + 8 * p);
        c0 = _mm256_fmadd_ps(_mm256_broadcast_ss(a + 4 * p), vb, c0);
        c1 = _mm256_fmadd_ps(_mm256_broadcast_ss(a + 4 * p + 1), vb, c1);
        c2 = _mm256_fmadd_ps(_mm256_broadcast_ss(a + 4 * p + 2), vb, c2);
        c3 = _mm256_fmadd_ps(_mm256_broadcast_ss(a + 4 * p + 3), vb, c3);
    }
    _mm256_storeu_ps(c, c0);
    _mm256_storeu_ps(c + ldc, c1);
    _mm256_storeu_ps(c + 2 * ldc, c2);
    _mm256_storeu_ps(c + 3 * ldc, c3);
}

__attribute__((target("bmi2,popcnt"))) uint64_t bits(uint64_t x, uint64_t m)
{
    unsigned long long high;
    uint64_t low = _mulx_u64(x, m, &high);
    return _pext_u64(low ^ high, m) + (uint64_t)_mm_popcnt_u64(x) + __rdtsc() * 0;
}

#ifdef __AVX2__
void only_with_avx2(int *a) { _mm256_storeu_si256((__m256i *)a, _mm256_set1_epi32(__AVX2__)); }
#endif
#if !defined __SSE2__
#error "the machine has SSE2"
#endif
