#include <stdio.h>
static float half(float x) { return x / 2; }
static void forward(float *from, float *to, float **weights, int n, int m)
{
    float sum;
    int i, j;
    {
        /* s2s: permuted loops to (i, j), parallel outside, simd inside */
#ifdef _OPENMP
        extern int omp_get_max_threads(void), omp_get_num_procs(void);
        const int s2s_threads = omp_get_max_threads() < omp_get_num_procs()
                                ? omp_get_max_threads() : omp_get_num_procs();
#else
        const int s2s_threads = 1;
#endif
        if (m >= 1) {
            long s2s_width = (((long)m - 1) / s2s_threads / 4 + 1) * 4;
            if (s2s_width > 64) s2s_width = 64;
#pragma omp parallel for
            for (long s2s_j_strip = 1; s2s_j_strip <= m;
                 s2s_j_strip += s2s_width) {
                float s2s_sum_values[64] __attribute__((aligned(64)));
                {
                    long s2s_j_end = s2s_j_strip + s2s_width - 1;
                    if (s2s_j_end > m) s2s_j_end = m;
                    if (s2s_j_strip <= s2s_j_end) {
                        const int s2s_j_last = (int)s2s_j_end;
                        for (int j = (int)s2s_j_strip; j <= s2s_j_last; j++) {
                            s2s_sum_values[j - s2s_j_strip] = 0.0;
                        }
                    }
                }
                if (0 <= n) {
                    const int s2s_i_last = n;
                    for (int i = 0; i <= s2s_i_last; i++) {
                        long s2s_j_end = s2s_j_strip + s2s_width - 1;
                        if (s2s_j_end > m) s2s_j_end = m;
                        if (s2s_j_strip <= s2s_j_end) {
                            const int s2s_j_last = (int)s2s_j_end;
#pragma omp simd
                            for (int j = (int)s2s_j_strip; j <= s2s_j_last;
                                 j++) {
                                s2s_sum_values[j - s2s_j_strip] += weights[i][j] * from[i];
                            }
                        }
                    }
                }
                {
                    long s2s_j_end = s2s_j_strip + s2s_width - 1;
                    if (s2s_j_end > m) s2s_j_end = m;
                    if (s2s_j_strip <= s2s_j_end) {
                        const int s2s_j_last = (int)s2s_j_end;
                        for (int j = (int)s2s_j_strip; j <= s2s_j_last; j++) {
                            to[j] = half(s2s_sum_values[j - s2s_j_strip]);
                        }
                    }
                }
            }
        } else {
#pragma omp parallel for private(i, j) reduction(+ : sum)
    for (j = 1; j <= m; j++) {
        sum = 0.0;
        for (i = 0; i <= n; i++)
            sum += weights[i][j] * from[i];
        to[j] = half(sum);
    }
        }
    }
}
int main(void)
{
    static float from[40], to[70], rows[40][70], *weights[40];
    for (int i = 0; i < 40; i++) {
        from[i] = (i * 7) % 5;
        weights[i] = rows[i];
        for (int j = 0; j < 70; j++)
            rows[i][j] = (i + 3 * j) % 8;
    }
    for (int n = 0; n < 40; n += 13)
        for (int m = 0; m < 70; m += 23) {
            forward(from, to, weights, n, m);
            for (int j = 0; j <= m; j++)
                printf("%g\n", to[j]);
        }
    return 0;
}
