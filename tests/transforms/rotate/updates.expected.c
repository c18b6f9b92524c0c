void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    {
        /* s2s: elements carried in locals */
        if (/* sizes for which this is right */
            n >= 3
            /* 'x' and 'y' do not overlap */
            && ((const char *)(x + n) <= (const char *)(y + 1)
                || (const char *)(y + n) <= (const char *)x)) {
            double s2s_x_2 = x[0];
            double s2s_x_1 = x[1];
            double s2s_x_0;
            for (int i = 2; i < n; i++) {
                s2s_x_0 = x[i] += 0.5 * s2s_x_1 * s2s_x_1 / (1.0 + s2s_x_2);
                y[i] *= 0.25;
                y[i] += y[i - 1];
                s2s_x_2 = s2s_x_1;
                s2s_x_1 = s2s_x_0;
            }
        } else {
    for (int i = 2; i < n; i++) {
        x[i] += 0.5 * x[i - 1] * x[i - 1] / (1.0 + x[i - 2]);
        y[i] *= 0.25;
        y[i] += y[i - 1];
    }
        }
    }
}

#include "main.h"
