// s2s: --force --passes=rotate -- -O2 -fopenmp
// run

void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    for (int i = 3; i < n; i++) { // remark: in locals
        x[i] = 0.5 * x[i - 3] + 0.25 * x[i - 1];
        y[i] = y[i - 2] + x[i - 1];
    }
}

#include "main.h"
