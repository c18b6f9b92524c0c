// A parallel region that is kept as it is, for the calls in it: its loops are shared in new code.
#include <stdio.h>
#include <stdlib.h>
enum { N = 80 };
static double a[N][N], b[N][N];
static int calls;
static void note(void)
{
    if (getenv("NOBODY_SETS_THIS"))
        exit(3);
    calls++;
}
static void run(int n, int steps)
{
    int t;
#pragma omp parallel private(t)
    {
        int last = steps;
        for (t = 0; t < last; t++) {
#pragma omp master
            note();
#pragma omp barrier
            {
                /* s2s: permuted loops to (i, j), parallel outside, simd inside */
#ifdef _OPENMP
                extern int omp_get_num_threads(void);
                const int s2s_threads = omp_get_num_threads();
#else
                const int s2s_threads = 1;
#endif
                if (n >= 2 && n <= 80) {
                    long s2s_width = (((long)(n - 1) - 1) / s2s_threads / 4 + 1) * 4;
                    if (s2s_width > 64) s2s_width = 64;
#pragma omp for
                    for (long s2s_j_strip = 1; s2s_j_strip <= n - 1; s2s_j_strip += s2s_width) {
                        for (int i = 0; i < n; i++) {
                            long s2s_j_end = s2s_j_strip + s2s_width;
                            if (s2s_j_end > n) s2s_j_end = n;
#pragma omp simd
                            for (int j = (int)s2s_j_strip; j < s2s_j_end; j++) {
                                a[i][j] = a[i][j] * 0.5 + b[i][j];
                            }
                        }
                    }
                } else {
#pragma omp for
            for (int j = 1; j < n; j++)
                for (int i = 0; i < n; i++)
                    a[i][j] = a[i][j] * 0.5 + b[i][j];
                }
            }
            {
                /* s2s: permuted loops to (i, j), parallel outside, simd inside */
#ifdef _OPENMP
                extern int omp_get_num_threads(void);
                const int s2s_threads = omp_get_num_threads();
#else
                const int s2s_threads = 1;
#endif
                if (n >= 2 && n <= 80) {
                    long s2s_width = (((long)(n - 1) - 1) / s2s_threads / 4 + 1) * 4;
                    if (s2s_width > 64) s2s_width = 64;
#pragma omp for
                    for (long s2s_j_strip = 1; s2s_j_strip <= n - 1; s2s_j_strip += s2s_width) {
                        for (int i = 0; i < n; i++) {
                            long s2s_j_end = s2s_j_strip + s2s_width;
                            if (s2s_j_end > n) s2s_j_end = n;
#pragma omp simd
                            for (int j = (int)s2s_j_strip; j < s2s_j_end; j++) {
                                b[i][j] = a[i][j] - t;
                            }
                        }
                    }
                } else {
#pragma omp for nowait
            for (int j = 1; j < n; j++)
                for (int i = 0; i < n; i++)
                    b[i][j] = a[i][j] - t;
                }
            }
        }
    }
}
int main(void)
{
    double sum = 0;
    for (int i = 0; i < N * N; i++)
        b[i / N][i % N] = i % 19;
    run(N, 4);
    run(3, 2);
    run(1, 2);
    for (int i = 0; i < N * N; i++)
        sum = sum * 0.5 + a[i / N][i % N] + b[i / N][i % N];
    printf("%d %.17g\n", calls, sum);
    return 0;
}
