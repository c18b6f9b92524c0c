#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double *x = u_; double (*a)[n + 2] = (double (*)[n + 2])(u_ + n + m + 64); double (*b)[n + 2] = (double (*)[n + 2])v_; if (sizeof(double) * ((m + 2) * (n + 2) + n + m + 64) > sizeof(double) * 4 * (n + 2) * (m + 2)) return;

    {
        /* s2s: permuted loops to (j, i) */
        if (/* sizes for which this is right */
            n >= 1 && m >= 2
            /* 'a' and 'u_' do not overlap */
            && ((const char *)(a + m) <= (const char *)x
                || (const char *)(x + n) <= (const char *)a)
            /* 'a' and 'v_' do not overlap */
            && ((const char *)(a + m) <= (const char *)(b + 1)
                || (const char *)(b + m) <= (const char *)a)) {
            for (int j = 1; j < m; j++) {
                for (int i = 0; i < n; i++) {
                    if (!(x[i] < 0.9 && b[1][i])) { a[j][i] = a[j - 1][i] + b[j][i]; }
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        if (!(x[i] < 0.9 && b[1][i]))
            for (int j = 1; j < m; j++)
                a[j][i] = a[j - 1][i] + b[j][i];
        }
    }
}

#include "soundness/main.h"
