#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;
    {
        /* s2s: permuted loops to (i, j), simd inside */
        if (/* sizes for which this is right */
            m >= 1 && n >= 2
            /* 'u_' and 'v_' do not overlap */
            && ((const char *)(u + n) <= (const char *)v
                || (const char *)(v + (long)n - 1) <= (const char *)u)) {
            for (int i = 1; i < n; i++) {
#pragma omp simd
                for (int j = 0; j < m; j++) {
                    u[i][j] = u[i-1][j] * 0.5 + v[i-1][j];
                }
            }
        } else {
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
 u[i][j] = u[i-1][j] * 0.5 + v[i-1][j];
        }
    }
}

#define CALL sweep(n, m, T, u_, u_ + m);
#include "soundness/main.h"
