#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double *x = u_; double (*a)[n + 2] = (double (*)[n + 2])(u_ + n + m + 64); double (*b)[n + 2] = (double (*)[n + 2])v_; if (sizeof(double) * ((m + 2) * (n + 2) + n + m + 64) > sizeof(double) * 4 * (n + 2) * (m + 2)) return;

    {
        /* s2s: permuted loops to (j, i), simd inside */
        if (/* sizes for which this is right */
            n >= 1 && m >= 2
            /* 'a' and 'u_' do not overlap */
            && ((const char *)(a + m) <= (const char *)x
                || (const char *)(x + m) <= (const char *)(a + 1))
            /* 'a' and 'v_' do not overlap */
            && ((const char *)(a + m) <= (const char *)(b + 1)
                || (const char *)(b + m) <= (const char *)(a + 1))
            /* 'u_' and 'v_' do not overlap */
            && ((const char *)(x + m) <= (const char *)(b + 1)
                || (const char *)(b + m) <= (const char *)x)) {
            for (int j = 1; j < m; j++) {
                x[j] = 1.0 - x[j - 1];
            }
            for (int j = 1; j < m; j++) {
                if (n >= 1) {
#pragma omp simd
                    for (int i = n - 1; i >= 0; i--) {
                        a[j][i] = x[j] + b[j][i];
                    }
                }
            }
        } else {
    for (int i = n - 1; i >= 0; i--)
        for (int j = 1; j < m; j++) {
            x[j] = 1.0 - x[j - 1];
            a[j][i] = x[j] + b[j][i];
        }
        }
    }
}

#include "soundness/main.h"
