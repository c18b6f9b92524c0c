// Whatever is done with them: the results stay the same.

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    enum { W = 40 }; double (*restrict u)[W] = (double (*)[W])calloc(W * W, 8); double (*restrict v)[W] = (double (*)[W])calloc(W * W, 8); int N = n + m, i, j, k; for (i = 0; i < W; i++) for (j = 0; j < W; j++) { u[i][j] = u_[(i * 7 + j) % 60] + (i == j ? 9 : 0); v[i][j] = v_[(i + j * 5) % 60]; } double sum;

    for (i = 0; i < N; i++) {
        {
            /* s2s: permuted loops to (k, j), parallel outside, simd inside */
#ifdef _OPENMP
            extern int omp_get_max_threads(void), omp_get_num_procs(void);
            const int s2s_threads = omp_get_max_threads() < omp_get_num_procs()
                                    ? omp_get_max_threads() : omp_get_num_procs();
#else
            const int s2s_threads = 1;
#endif
            if (i >= 1 && N >= (long)i + 1 && N <= 40) {
                long s2s_width = (((long)(N - 1) - i) / s2s_threads / 4 + 1) * 4;
                if (s2s_width > 64) s2s_width = 64;
#pragma omp parallel for
                for (long s2s_j_strip = i; s2s_j_strip <= N - 1; s2s_j_strip += s2s_width) {
                    if (i >= 1) {
                        for (int k = i - 1; k >= 0; k--) {
                            long s2s_j_end = s2s_j_strip + s2s_width;
                            if (s2s_j_end > N) s2s_j_end = N;
#pragma omp simd
                            for (int j = (int)s2s_j_strip; j < s2s_j_end; j++) {
                                u[i][j] -= u[i][k] * u[k][j];
                            }
                        }
                    }
                }
            } else {
#pragma omp parallel for private(k, sum)
        for (j = i; j < N; j++) {
            sum = u[i][j];
            for (k = i - 1; k >= 0; k--) sum -= u[i][k] * u[k][j];
            u[i][j] = sum;
        }
            }
        }
#pragma omp parallel for private(k, sum)
        for (j = i + 1; j < N; j++) {
            sum = u[j][i];
            for (k = 0; k < i; k++) sum -= u[j][k] * u[k][i];
            u[j][i] = sum / u[i][i];
        }
    }

    show("U", u, W * W * 8); show("V", v, W * W * 8); free(u); free(v);
}

#define CALL sweep(n % 20, m, T, u_, v_);
#include "soundness/main.h"
