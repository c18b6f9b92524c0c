void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    long kept = 3;
    {
        /* s2s: elements carried in locals */
        if (/* sizes for which this is right */
            n >= 2
            /* 'x' and 'y' do not overlap */
            && ((const char *)(x + n) <= (const char *)(y + 1)
                || (const char *)(y + n) <= (const char *)x)
            /* 'x' and 'z' do not overlap */
            && ((const char *)(x + n) <= (const char *)(z + 1)
                || (const char *)(z + n) <= (const char *)x)
            /* 'y' and 'z' do not overlap */
            && ((const char *)(y + n) <= (const char *)(z + 1)
                || (const char *)(z + n) <= (const char *)(y + 1))) {
            double s2s_x_1 = x[0];
            double s2s_x_0;
            long s2s_k_1 = k[0];
            long s2s_k_0;
            for (long i = 1; i < n; i++) {
                const double t = s2s_x_1 * 0.5;
                s2s_k_0 = k[i] = (s2s_k_1 + kept) % 1009;
                if (t > 1.0) y[i] = t;
                s2s_x_0 = x[i] = t > 2.0 ? 2.0 : t + z[i];
                s2s_x_1 = s2s_x_0;
                s2s_k_1 = s2s_k_0;
            }
        } else {
    for (long i = 1; i < n; i++) {
        const double t = x[i - 1] * 0.5;
        k[i] = (k[i - 1] + kept) % 1009;
        if (t > 1.0) y[i] = t;
        x[i] = t > 2.0 ? 2.0 : t + z[i];
    }
        }
    }
}

#include "main.h"
