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
            if (2L - n <= 0) {
                double s2s_x_1 = x[1 - (2L - n)];
                double s2s_x_0;
                double s2s_y_1 = y[1 - (2L - n)];
                double s2s_y_0;
                for (long s2s_o0 = 2L - n; s2s_o0 <= 0; s2s_o0++) {
                    {
                        const int i = (int)(-s2s_o0);
                        s2s_x_0 = x[i] = 0.5 * s2s_x_1 + z[i];
                    }
                    {
                        const int i = (int)(-s2s_o0);
                        s2s_y_0 = y[i] = s2s_y_1 - s2s_x_1;
                    }
                    s2s_x_1 = s2s_x_0;
                    s2s_y_1 = s2s_y_0;
                }
            }
        } else {
    for (int i = n - 2; i >= 0; i--) {
        x[i] = 0.5 * x[i + 1] + z[i];
        y[i] = y[i + 1] - x[i + 1];
    }
        }
    }
}

#include "main.h"
