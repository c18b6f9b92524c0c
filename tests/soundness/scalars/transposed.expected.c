#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    enum { W = 40 }; double (*restrict u)[W] = (double (*)[W])calloc(W * W, 8); double (*restrict v)[W] = (double (*)[W])calloc(W * W, 8); int N = n + m, i, j, k; for (i = 0; i < W; i++) for (j = 0; j < W; j++) { u[i][j] = u_[(i * 7 + j) % 60] + (i == j ? 9 : 0); v[i][j] = v_[(i + j * 5) % 60]; } double sum;

    {
        /* s2s: interchanged loops to (i, k, j), parallel outside, simd inside */
        if (/* sizes for which this is right */
            N >= 1 && N <= 40
            /* 'u' and 'v' do not overlap */
            && ((const char *)(u + N) <= (const char *)v
                || (const char *)(v + N) <= (const char *)u)) {
#pragma omp parallel for
            for (int i = 0; i < N; i++) {
                for (int j = 0; j < N; j++) {
                    u[i][j] = i;
                }
                if (N >= 1) {
                    for (int k = N - 1; k >= 0; k--) {
#pragma omp simd
                        for (int j = 0; j < N; j++) {
                            u[i][j] = u[i][j] * v[k][i] + v[k][j];
                        }
                    }
                }
            }
        } else {
    for (i = 0; i < N; i++) {
#pragma omp parallel for private(k) reduction(+:sum)
        for (j = 0; j < N; j++) {
            sum = i;
            for (k = N - 1; k >= 0; k--) sum = sum * v[k][i] + v[k][j];
            u[i][j] = sum;
        }
    }
        }
    }

    show("U", u, W * W * 8); show("V", v, W * W * 8); free(u); free(v);
}

#define CALL sweep(n % 20, m, T, u_, v_);
#include "soundness/main.h"
