// s2s: --force --passes=rotate -- -O2 -fopenmp
// run

void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    for (int i = 1; i < n; i++) { // remark: in locals
        double t = z[i];
        if (t > 0.5) y[i] = t;
        t = t + x[i - 1] * x[i - 1];
        x[i] = t / (2.0 + t);
        y[i] += y[i - 1];
    }
}

#include "main.h"
