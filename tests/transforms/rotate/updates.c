// s2s: --force --passes=rotate -- -O2 -fopenmp
// run

void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    for (int i = 2; i < n; i++) { // remark: in locals
        x[i] += 0.5 * x[i - 1] * x[i - 1] / (1.0 + x[i - 2]);
        y[i] *= 0.25;
        y[i] += y[i - 1];
    }
}

#include "main.h"
