/* Two sweeps in each step, each parallel along the other direction, with recurrences inside. */
#include "soundness/numbers.h"
#define N 260

static double u[N][N], v[N][N], c[N][N];

void solve(int steps, int n)
{

    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = (long)n - 2 >= 4L
                                && (double)((long)n - 2) * ((long)n - 2) >= 16064.0
                                ? omp_get_max_threads() : 1;
#else
        const int s2s_threads = 1;
#endif
        if (/* sizes for which this is right, and gains */
            steps >= 1 && n >= 3 && n <= 260
            /* enough for each thread */
            && s2s_threads > 1
            && (long)n - 2 >= 2L * s2s_threads
            && (double)((long)n - 2) * ((long)n - 2) >= 8032.0 * s2s_threads) {
#pragma omp parallel
            for (int t = 0; t < steps; t++) {
#pragma omp barrier
#pragma omp for nowait
                for (int i = 1; i < n - 1; i++) {
                    c[i][0] = 0.0;
                    v[i][0] = u[0][i];
                    for (int j = 1; j < n - 1; j++) {
                        c[i][j] = 0.3 / (1.7 - 0.3 * c[i][j - 1]);
                        v[i][j] = (u[j][i - 1] + 0.3 * v[i][j - 1]) / (1.7 - 0.3 * c[i][j - 1]);
                    }
                }
#pragma omp barrier
#pragma omp for nowait
                for (int i = 1; i < n - 1; i++) {
                    u[i][n - 1] = 1.0;
                    if (n > 2) {
                        for (int j = n - 2; j > 0; j--) {
                            u[i][j] = c[i][j] * u[i][j + 1] + v[j][i];
                        }
                    }
                }
            }
        } else {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            c[i][0] = 0.0;
            v[i][0] = u[0][i];
            for (int j = 1; j < n - 1; j++) {
                c[i][j] = 0.3 / (1.7 - 0.3 * c[i][j - 1]);
                v[i][j] = (u[j][i - 1] + 0.3 * v[i][j - 1]) / (1.7 - 0.3 * c[i][j - 1]);
            }
        }
        for (int i = 1; i < n - 1; i++) {
            u[i][n - 1] = 1.0;
            for (int j = n - 2; j > 0; j--)
                u[i][j] = c[i][j] * u[i][j + 1] + v[j][i];
        }
    }
        }
    }
}

int main(void)
{
    double *p = numbers(N * N, 5);
    for (int k = 0; k < N * N; k++) u[k / N][k % N] = p[k];
    solve(3, N);
    solve(2, 7);
    show("u", u, sizeof u);
    show("v", v, sizeof v);
    free(p);
    return 0;
}
