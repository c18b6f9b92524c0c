// s2s: --force --passes=rotate -- -O2 -fopenmp
// run

void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    for (int i = n - 2; i >= 0; i--) { // remark: in locals
        x[i] = 0.5 * x[i + 1] + z[i];
        y[i] = y[i + 1] - x[i + 1];
    }
}

#include "main.h"
