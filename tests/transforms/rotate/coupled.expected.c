void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    {
        /* s2s: elements carried in locals */
        if (/* sizes for which this is right */
            n >= 2
            /* 'x' and 'y' do not overlap */
            && ((const char *)(x + n) <= (const char *)y
                || (const char *)(y + n) <= (const char *)x)
            /* 'x' and 'z' do not overlap */
            && ((const char *)(x + n) <= (const char *)(z + 1)
                || (const char *)(z + n) <= (const char *)x)
            /* 'y' and 'z' do not overlap */
            && ((const char *)(y + n) <= (const char *)(z + 1)
                || (const char *)(z + n) <= (const char *)y)) {
            double s2s_x_1 = x[0];
            double s2s_x_0;
            double s2s_y_1 = y[0];
            double s2s_y_0;
            for (int i = 1; i < n; i++) {
                s2s_x_0 = x[i] = 0.5 * s2s_x_1 + z[i];
                s2s_y_0 = y[i] = 0.25 * s2s_y_1 + x[i];
                s2s_x_1 = s2s_x_0;
                s2s_y_1 = s2s_y_0;
            }
        } else {
    for (int i = 1; i < n; i++) {
        x[i] = 0.5 * x[i - 1] + z[i];
        y[i] = 0.25 * y[i - 1] + x[i];
    }
        }
    }
}

#include "main.h"
