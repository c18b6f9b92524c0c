// A function that threads of a team call: its loop is shared by them, whatever runs before it.
#include <stdio.h>
enum { N = 96 };
static double a[N][N], b[N][N], row[N];
static int sizes[2] = { N - 2, N };
static void start(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 7 + j) % 13;
            b[i][j] = (i + 3 * j) % 11;
        }
}
static void fill(void)
{
    int j;
#pragma omp for schedule(static) nowait
    for (j = 0; j < N; j++)
        row[j] = row[j] * 0.5 + j;
}
static void sweep(void)
{
    int i, j;
    double left;
    {
        /* s2s: permuted loops to (i, j), parallel outside, simd inside */
#pragma omp barrier
#ifdef _OPENMP
        extern int omp_get_num_threads(void);
        const int s2s_threads = omp_get_num_threads();
#else
        const int s2s_threads = 1;
#endif
        if (sizes[0] >= 1 && sizes[0] <= 96 && sizes[1] >= 1) {
            long s2s_width = ((long)(sizes[0] - 1) / s2s_threads / 4 + 1) * 4;
            if (s2s_width > 64) s2s_width = 64;
#pragma omp for
            for (long s2s_j_strip = 0; s2s_j_strip <= sizes[0] - 1; s2s_j_strip += s2s_width) {
                for (int i = 0; i < sizes[1]; i++) {
                    long s2s_j_end = s2s_j_strip + s2s_width;
                    if (s2s_j_end > sizes[0]) s2s_j_end = sizes[0];
#pragma omp simd
                    for (int j = (int)s2s_j_strip; j < s2s_j_end; j++) {
                        double left;
                        left = b[i][j] + row[j];
                        a[i][j] += left * left;
                    }
                }
            }
        } else {
#pragma omp for schedule(static)
    for (j = 0; j < sizes[0]; j++)
        for (i = 0; i < sizes[1]; i++) {
            left = b[i][j] + row[j];
            a[i][j] += left * left;
        }
        }
    }
}
int main(void)
{
    int t;
    double sum = 0;
    start();
#pragma omp parallel private(t)
    for (t = 0; t < 5; t++) {
        fill();
        sweep();
    }
    sweep();
    for (t = 0; t < N * N; t++)
        sum = sum * 0.75 + a[t / N][t % N];
    printf("%.17g\n", sum);
    return 0;
}
