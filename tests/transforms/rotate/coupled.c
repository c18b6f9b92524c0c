// s2s: --force --passes=rotate -- -O2 -fopenmp
// run

void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    for (int i = 1; i < n; i++) { // remark: in locals
        x[i] = 0.5 * x[i - 1] + z[i];
        y[i] = 0.25 * y[i - 1] + x[i];
    }
}

#include "main.h"
