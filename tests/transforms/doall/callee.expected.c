/* What a loop around a call shares is not a loop of the callee, nor one beside the call: both are
   regions of their own, and the callee's gains by more than threads. */
#include <stdio.h>

static float x[3000], r[64];

static void correlate(const float *a, int n, float *out, int lags)
{
    {
        /* s2s: loops (i, lag), unrolled and jammed 'i' by 4 */
        if (/* sizes for which this is right, and gains */
            lags >= 24 && n >= 24
            /* 'a' and 'out' do not overlap */
            && ((const char *)(a + n) <= (const char *)out
                || (const char *)(out + lags) <= (const char *)a)) {
            for (int lag = 0; lag < lags; lag++) {
                out[lag] = 0;
            }
            for (long s2s_i_tile = 0; s2s_i_tile <= (long)(n - 1) / 4; s2s_i_tile++) {
                {
                    long s2s_i_end = n - 1;
                    if (s2s_i_end > 4 * s2s_i_tile + 2) s2s_i_end = 4 * s2s_i_tile + 2;
                    for (int i = (int)(4 * s2s_i_tile); i <= s2s_i_end; i++) {
                        long s2s_lag_begin = 0;
                        long s2s_lag_end = lags;
                        if (s2s_lag_begin < n - 4 * s2s_i_tile - 3)
                            s2s_lag_begin = n - 4 * s2s_i_tile - 3;
                        if (s2s_lag_end > (long)n - i) s2s_lag_end = (long)n - i;
#pragma omp simd
                        for (int lag = (int)s2s_lag_begin; lag < s2s_lag_end; lag++) {
                            out[lag] += a[i] * a[i + lag];
                        }
                    }
                }
                {
                    long s2s_lag_end = lags;
                    if (s2s_lag_end > n - 4 * s2s_i_tile - 3)
                        s2s_lag_end = n - 4 * s2s_i_tile - 3;
                    if (0 < s2s_lag_end) {
                        const float s2s_a_0 = a[4 * s2s_i_tile];
                        const float s2s_a_1 = a[4 * s2s_i_tile + 1];
                        const float s2s_a_2 = a[4 * s2s_i_tile + 2];
                        const float s2s_a_3 = a[4 * s2s_i_tile + 3];
#pragma omp simd
                        for (int lag = 0; lag < s2s_lag_end; lag++) {
                            float s2s_out_0 = out[lag];
                            {
                                const int i = (int)(4 * s2s_i_tile);
                                s2s_out_0 += s2s_a_0 * a[i + lag];
                            }
                            {
                                const int i = (int)(4 * s2s_i_tile + 1);
                                s2s_out_0 += s2s_a_1 * a[i + lag];
                            }
                            {
                                const int i = (int)(4 * s2s_i_tile + 2);
                                s2s_out_0 += s2s_a_2 * a[i + lag];
                            }
                            {
                                const int i = (int)(4 * s2s_i_tile + 3);
                                s2s_out_0 += s2s_a_3 * a[i + lag];
                            }
                            out[lag] = s2s_out_0;
                        }
                    }
                }
            }
        } else {
    for (int lag = 0; lag < lags; lag++) {
        float sum = 0;
        for (int i = 0; i < n - lag; i++)
            sum += a[i] * a[i + lag];
        out[lag] = sum;
    }
        }
    }
}

int main(int argc, char **argv)
{
    int n = 2900 + argc, lags = 63 + argc;
    (void)argv;
    for (int i = 0; i < 3000; i++)
        x[i] = i * 37 % 59 * 0.125f - 2;
    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = (n <= 0 ? 1 : n) >= 107942L ? omp_get_max_threads() : 1;
#else
        const int s2s_threads = 1;
#endif
        if (s2s_threads > 1 && (n <= 0 ? 1 : n) >= 53971L * s2s_threads) {
            for (int step = 0; step <= 3; step++) {
                correlate(x, n, r, lags);
#pragma omp parallel for
                for (int i = 0; i < n; i++) {
                    x[i] = x[i] * 0.5f + r[i % 64] * 0.0001f;
                }
            }
        } else {
    for (int step = 0; step < 4; step++) {
        correlate(x, n, r, lags);
        for (int i = 0; i < n; i++)
            x[i] = x[i] * 0.5f + r[i % 64] * 0.0001f;
    }
        }
    }
    double sum = 0;
    for (int i = 0; i < 64; i++)
        sum += r[i] * i;
    printf("%.9g\n", sum);
    return 0;
}
