void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    {
        /* s2s: elements carried in locals */
        if (/* sizes for which this is right */
            n >= 4
            /* 'x' and 'y' do not overlap */
            && ((const char *)(x + n) <= (const char *)(y + 1)
                || (const char *)(y + n) <= (const char *)x)) {
            double s2s_x_3 = x[0];
            double s2s_x_2 = 0;
            if (4 < n) s2s_x_2 = x[1];
            double s2s_x_1 = x[2];
            double s2s_x_0;
            double s2s_y_2 = y[1];
            double s2s_y_1 = 0;
            if (4 < n) s2s_y_1 = y[2];
            double s2s_y_0;
            for (int i = 3; i < n; i++) {
                s2s_x_0 = x[i] = 0.5 * s2s_x_3 + 0.25 * s2s_x_1;
                s2s_y_0 = y[i] = s2s_y_2 + s2s_x_1;
                s2s_x_3 = s2s_x_2;
                s2s_x_2 = s2s_x_1;
                s2s_x_1 = s2s_x_0;
                s2s_y_2 = s2s_y_1;
                s2s_y_1 = s2s_y_0;
            }
        } else {
    for (int i = 3; i < n; i++) {
        x[i] = 0.5 * x[i - 3] + 0.25 * x[i - 1];
        y[i] = y[i - 2] + x[i - 1];
    }
        }
    }
}

#include "main.h"
