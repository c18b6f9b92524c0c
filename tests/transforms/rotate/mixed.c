// s2s: --force --passes=rotate -- -O2 -fopenmp
// run

void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    long kept = 3;
    for (long i = 1; i < n; i++) { // remark: in locals
        const double t = x[i - 1] * 0.5;
        k[i] = (k[i - 1] + kept) % 1009;
        if (t > 1.0) y[i] = t;
        x[i] = t > 2.0 ? 2.0 : t + z[i];
    }
}

#include "main.h"
