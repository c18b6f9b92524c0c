void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    {
        /* s2s: elements carried in locals */
        if (/* sizes for which this is right */
            n >= 2 && m >= 2
            /* 'a' and 'x' do not overlap */
            && ((const char *)(a + n) <= (const char *)x
                || (const char *)(x + m) <= (const char *)a)) {
            for (int i = 1; i < n; i++) {
                double s2s_a_1 = a[i][0];
                double s2s_a_0;
                double s2s_x_1 = x[0];
                double s2s_x_0;
                double s2s_a_3 = a[i - 1][0];
                double s2s_a_2;
                for (int j = 1; j < m; j++) {
                    s2s_a_0 = a[i][j] = 0.25
                                        * (s2s_a_1 + (s2s_a_2 = a[i - 1][j])
                                           + s2s_a_3);
                    s2s_x_0 = x[j] = a[i][j] + 0.5 * s2s_x_1;
                    s2s_a_1 = s2s_a_0;
                    s2s_x_1 = s2s_x_0;
                    s2s_a_3 = s2s_a_2;
                }
            }
        } else {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            a[i][j] = 0.25 * (a[i][j - 1] + a[i - 1][j] + a[i - 1][j - 1]);
            x[j] = a[i][j] + 0.5 * x[j - 1];
        }
        }
    }
}

#include "main.h"
