#include <emmintrin.h>
#include <nmmintrin.h>
#include <stdalign.h>
#include <stdint.h>

typedef union { __m128 v; float f[4]; } lanes_t;

float dot(const float *a, const float *b, int n)
{
    __m128 sum = _mm_setzero_ps();
    for (int i = 0; i + 4 <= n; i += 4)
        sum = _mm_add_ps(sum, _mm_mul_ps(_mm_loadu_ps(a + i), _mm_loadu_ps(&b[i])));
    sum = _mm_hadd_ps(sum, sum);
    sum = _mm_add_ss(sum, _mm_shuffle_ps(sum, sum, _MM_SHUFFLE(1, 1, 1, 1)));
    return _mm_cvtss_f32(sum);
}

float by_union(const float *a, int n)
{
    lanes_t s = {.v = _mm_set1_ps(0.f)};
    for (int i = 0; i < n; i += 4)
        s.v += _mm_load_ps(a + i);
    float r = 0;
    for (int l = 0; l < 4; l++)
        r += s.f[l];
    return r;
}

void transpose(float m[4][4])
{
    __m128 a = _mm_loadu_ps(m[0]), b = _mm_loadu_ps(m[1]);
    __m128 c = _mm_loadu_ps(m[2]), d = _mm_loadu_ps(m[3]);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(m[0], a), _mm_storeu_ps(m[1], b);
    _mm_storeu_ps(m[2], c), _mm_storeu_ps(m[3], d);
}

int count(const uint8_t *s, int n, uint8_t c)
{
    const __m128i wanted = _mm_set1_epi8((char)c);
    int found = 0;
    for (int i = 0; i + 16 <= n; i += 16) {
        __m128i eq = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(s + i)), wanted);
        found += _mm_popcnt_u32((unsigned)_mm_movemask_epi8(eq));
    }
    return found;
}

uint32_t checksum(const uint8_t *p, long n)
{
    uint32_t c = ~0u;
    while (n-- > 0)
        c = _mm_crc32_u8(c, *p++);
    return c;
}

__m128d horner(__m128d x, const double *c, int n)
{
    __m128d r = _mm_load1_pd(c);
    for (int i = 1; i < n; i++)
        r = r * x + _mm_set1_pd(c[i]);
    return r;
}

void abs_diff(uint8_t *out, const uint8_t *a, const uint8_t *b, int n)
{
    for (int i = 0; i < n; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)&a[i]), y = _mm_loadu_si128((const __m128i *)&b[i]);
        _mm_storeu_si128((__m128i *)&out[i], _mm_or_si128(_mm_subs_epu8(x, y), _mm_subs_epu8(y, x)));
        _mm_prefetch((const char *)(a + i + 256), _MM_HINT_T0);
    }
    _mm_sfence();
}

int largest(const int *a, int n)
{
    alignas(16) int last[4];
    __m128i m = _mm_set_epi32(a[3], a[2], a[1], a[0]);
    for (int i = 4; i < n; i += 4)
        m = _mm_max_epi32(m, _mm_loadu_si128((const __m128i *)(a + i)));
    _mm_store_si128((__m128i *)last, m);
    for (int i = 1; i < 4; i++)
        last[0] = last[0] > last[i] ? last[0] : last[i];
    return last[0];
}

void flush_denormals(void)
{
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    _mm_setcsr(_mm_getcsr() | 0x0040);
}

int compare_strings(const char *a, const char *b)
{
    __m128i x = _mm_loadu_si128((const __m128i *)a), y = _mm_loadu_si128((const __m128i *)b);
    return _mm_cmpistri(x, y, _SIDD_CMP_EQUAL_EACH | _SIDD_NEGATIVE_POLARITY);
}

static inline __m128i select_lanes(__m128i mask, __m128i a, __m128i b)
{
    return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
}

void clamp(int *a, int n, int low, int high)
{
    const __m128i l = _mm_set1_epi32(low), h = _mm_set1_epi32(high);
    for (int i = 0; i < n; i += 4) {
        __m128i v = _mm_loadu_si128((const __m128i *)(a + i));
        v = select_lanes(_mm_cmplt_epi32(v, l), l, v);
        v = select_lanes(_mm_cmpgt_epi32(v, h), h, v);
        _mm_storeu_si128((__m128i *)(a + i), v);
    }
}

float *fresh(long n)
{
    float *p = (float *)_mm_malloc((unsigned long)n * sizeof *p, 64);
    for (long i = 0; i < n; i += 4)
        _mm_stream_ps(p + i, _mm_setr_ps(1, 2, 3, 4));
    return p;
}
