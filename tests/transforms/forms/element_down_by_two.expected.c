#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double *x = u_; double (*a)[n + 2] = (double (*)[n + 2])(u_ + n + m + 64); double (*b)[n + 2] = (double (*)[n + 2])v_; if (sizeof(double) * ((m + 2) * (n + 2) + n + m + 64) > sizeof(double) * 4 * (n + 2) * (m + 2)) return;

    {
        /* s2s: interchanged loops to (j, i), simd inside */
        if (/* sizes for which this is right */
            n >= 2 && m >= 1
            /* 'a' and 'u_' do not overlap */
            && ((const char *)(a + m) <= (const char *)x
                || (const char *)(x + n) <= (const char *)(a + 1 - (long)m % 2))
            /* 'a' and 'v_' do not overlap */
            && ((const char *)(a + m) <= (const char *)(b + 1 - (long)m % 2)
                || (const char *)(b + m) <= (const char *)(a + 1 - (long)m % 2))
            /* 'u_' and 'v_' do not overlap */
            && ((const char *)(x + n) <= (const char *)(b + 1 - (long)m % 2)
                || (const char *)(b + m) <= (const char *)x)) {
            {
                const int j = (int)(1 - (long)m % 2);
                for (int i = 1; i < n; i++) {
                    x[i] = a[j][i] - x[i - 1];
                }
            }
            if (m > 2) {
                for (int j = m - 1; j > 1; j -= 2) {
#pragma omp simd
                    for (int i = 1; i < n; i++) {
                        { __typeof__(x[i]) s2s_u_local = a[j][i] - x[i - 1];
                        a[j][i] = s2s_u_local * s2s_u_local + b[j][i]; }
                    }
                }
            }
            {
                const int j = (int)(1 - (long)m % 2);
#pragma omp simd
                for (int i = 1; i < n; i++) {
                    a[j][i] = x[i] * x [i] + b[j][i];
                }
            }
        } else {
    for (int i = 1; i < n; i++)
        for (int j = m - 1; j >= 0; j -= 2) {
            x[i] = a[j][i] - x[i - 1];
            a[j][i] = x[i] * x [i] + b[j][i];
        }
        }
    }
}

#include "soundness/main.h"
