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
            for (int i = 1; i < n; i++) {
                double t = z[i];
                if (t > 0.5) y[i] = t;
                t = t + s2s_x_1 * s2s_x_1;
                s2s_x_0 = x[i] = t / (2.0 + t);
                y[i] += y[i - 1];
                s2s_x_1 = s2s_x_0;
            }
        } else {
    for (int i = 1; i < n; i++) {
        double t = z[i];
        if (t > 0.5) y[i] = t;
        t = t + x[i - 1] * x[i - 1];
        x[i] = t / (2.0 + t);
        y[i] += y[i - 1];
    }
        }
    }
}

#include "main.h"
