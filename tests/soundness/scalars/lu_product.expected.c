// Whatever is done with them: the results stay the same.

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    enum { W = 40 }; double (*restrict u)[W] = (double (*)[W])calloc(W * W, 8); double (*restrict v)[W] = (double (*)[W])calloc(W * W, 8); int N = n + m, i, j, k; for (i = 0; i < W; i++) for (j = 0; j < W; j++) { u[i][j] = u_[(i * 7 + j) % 60] + (i == j ? 9 : 0); v[i][j] = v_[(i + j * 5) % 60]; } double sum;

    {
        /* s2s: interchanged loops to (k, i, j) and (k, j, i), parallel outside */
        if (N >= 2 && N <= 40) {
#pragma omp parallel
            for (long s2s_k = 0; s2s_k < N - 1; s2s_k++) {
#pragma omp barrier
#pragma omp for nowait
                for (long s2s_i = s2s_k + 1; s2s_i < N; s2s_i++) {
                    {
                        const int i = (int)s2s_k;
                        const int j = (int)s2s_i;
                        u[j][i] = u[j][i] / u[i][i];
                    }
                    {
                        const int i = (int)s2s_i;
                        const int k = (int)s2s_k;
                        for (int j = (int)s2s_i; j < N; j++) {
                            u[i][j] -= u[i][k] * u[k][j];
                        }
                    }
                    {
                        const int j = (int)s2s_i;
                        const int k = (int)s2s_k;
                        for (int i = (int)(s2s_k + 1); i < s2s_i; i++) {
                            u[j][i] *= 1 + u[j][k] * u[k][i];
                        }
                    }
                }
            }
        } else {
    for (i = 0; i < N; i++) {
#pragma omp parallel for private(k, sum)
        for (j = i; j < N; j++) {
            sum = u[i][j];
            for (k = 0; k < i; k++) sum -= u[i][k] * u[k][j];
            u[i][j] = sum;
        }
#pragma omp parallel for private(k, sum)
        for (j = i + 1; j < N; j++) {
            sum = u[j][i];
            for (k = 0; k < i; k++) sum *= 1 + u[j][k] * u[k][i];
            u[j][i] = sum / u[i][i];
        }
    }
        }
    }

    show("U", u, W * W * 8); show("V", v, W * W * 8); free(u); free(v);
}

#define CALL sweep(n % 20, m, T, u_, v_);
#include "soundness/main.h"
