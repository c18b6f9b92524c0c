#include <x86intrin.h>
#include <stdint.h>

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq")

double dot(const double *a, const double *b, long n)
{
    __m512d s = _mm512_setzero_pd();
    for (long i = 0; i < n; i += 8) {
        __mmask8 m = n - i >= 8 ? 0xff : (__mmask8)((1u << (n - i)) - 1);
        s = _mm512_fmadd_pd(_mm512_maskz_loadu_pd(m, a + i), _mm512_maskz_loadu_pd(m, b + i), s);
    }
    return _mm512_reduce_add_pd(s);
}

int compress(int *out, const int *in, int n, int limit)
{
    int kept = 0;
    for (int i = 0; i + 16 <= n; i += 16) {
        __m512i v = _mm512_loadu_si512(in + i);
        __mmask16 m = _mm512_cmplt_epi32_mask(v, _mm512_set1_epi32(limit));
        _mm512_mask_compressstoreu_epi32(out + kept, m, v);
        kept += __builtin_popcount(m);
    }
    return kept;
}

void permute(float *a, const int *index)
{
    __m512i at = _mm512_loadu_epi32(index);
    _mm512_storeu_ps(a, _mm512_permutexvar_ps(at, _mm512_loadu_ps(a)));
}

void ternary(uint64_t *a, const uint64_t *b, const uint64_t *c, int n)
{
    for (int i = 0; i < n; i += 8) {
        __m512i v = _mm512_ternarylogic_epi64(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i),
                                              _mm512_loadu_si512(c + i), 0x96);
        _mm512_storeu_si512(a + i, v);
    }
}

void histogram(int *bins, const int *key, int n)
{
    for (int i = 0; i < n; i += 16) {
        __m512i k = _mm512_loadu_si512((const void *)(key + i));
        __m512i old = _mm512_i32gather_epi32(k, bins, 4);
        _mm512_i32scatter_epi32(bins, k, _mm512_add_epi32(old, _mm512_set1_epi32(1)), 4);
    }
}

float largest(const float *a, int n)
{
    __m512 m = _mm512_set1_ps(-1e30f);
    for (int i = 0; i < n; i += 16)
        m = _mm512_max_round_ps(m, _mm512_loadu_ps(a + i), _MM_FROUND_NO_EXC);
    __m256 h = _mm256_max_ps(_mm512_castps512_ps256(m), _mm512_extractf32x8_ps(m, 1));
    return _mm512_reduce_max_ps(m) + h[0];
}

void narrow(int8_t *out, const int32_t *in, int n)
{
    for (int i = 0; i < n; i += 16)
        _mm_storeu_si128((__m128i *)(out + i), _mm512_cvtsepi32_epi8(_mm512_loadu_si512(in + i)));
}

__mmask64 spaces(const char *text)
{
    __m512i v = _mm512_loadu_epi8(text);
    __mmask64 m = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(' '));
    return _kand_mask64(m, _knot_mask64(_mm512_test_epi8_mask(v, _mm512_set1_epi8(1))));
}

#pragma GCC pop_options
