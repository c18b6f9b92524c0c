// s2s: --force --passes=rotate -- -O2 -fopenmp
// run

void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    for (int i = 1; i < n; i++) { // remark: in locals
        int at = i - 1;
        x[at + 1] = 0.5 * x[at] + z[at];
        y[i] = y[at] + x[at];
    }
}

#include "main.h"
