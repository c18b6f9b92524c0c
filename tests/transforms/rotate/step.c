// s2s: --force --passes=rotate -- -O2 -fopenmp
// stays

void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    for (int i = 2; i < n; i += 2) {
        x[i] = 0.5 * x[i - 2] + z[i];
        y[i] = y[i - 2] + x[i];
    }
}

#include "main.h"
