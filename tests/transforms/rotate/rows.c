// s2s: --force --passes=rotate -- -O2 -fopenmp
// run

void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    for (int i = 1; i < n; i++) // remark: in locals
        for (int j = 1; j < m; j++) {
            a[i][j] = 0.25 * (a[i][j - 1] + a[i - 1][j] + a[i - 1][j - 1]);
            x[j] = a[i][j] + 0.5 * x[j - 1];
        }
}

#include "main.h"
