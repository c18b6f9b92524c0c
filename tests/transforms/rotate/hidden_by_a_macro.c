// s2s: --force -- -O2 -fopenmp
// stays
// not said: carried in locals

#define BEFORE(p) p[i - 1]
void f(int n, int m, double *x, double *y, double *z, long *k, double a[n][m])
{
    for (int i = 1; i < n; i++) {
        x[i] = 0.5 * BEFORE(x) + z[i];
        y[i] = 0.25 * BEFORE(y) + x[i];
    }
}

#include "main.h"
