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
            && ((const char *)(x + n) <= (const char *)z
                || (const char *)(z + (long)n - 1) <= (const char *)x)
            /* 'y' and 'z' do not overlap */
            && ((const char *)(y + n) <= (const char *)z
                || (const char *)(z + (long)n - 1) <= (const char *)y)) {
            double s2s_x_1 = x[0];
            double s2s_x_0;
            double s2s_y_1 = y[0];
            double s2s_y_0;
            for (int i = 1; i < n; i++) {
                int at = i - 1;
                s2s_x_0 = x[at + 1] = 0.5 * s2s_x_1 + z[at];
                s2s_y_0 = y[i] = s2s_y_1 + s2s_x_1;
                s2s_x_1 = s2s_x_0;
                s2s_y_1 = s2s_y_0;
            }
        } else {
    for (int i = 1; i < n; i++) {
        int at = i - 1;
        x[at + 1] = 0.5 * x[at] + z[at];
        y[i] = y[at] + x[at];
    }
        }
    }
}

#include "main.h"
