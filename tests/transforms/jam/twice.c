// s2s: --force -- -O2 -fopenmp
// run

void f(int n, int m, double (*restrict a)[70], double (*restrict b)[70], double (*restrict c)[70], double *restrict x, double *restrict y, double *restrict z)
{
    for (int i = 0; i < m; i++) { // remark: unrolled and jammed
        x[i] = 0;
        for (int j = 0; j < n; j++)
            x[i] = x[i] + a[i][j] * y[j];
        for (int j = 0; j < n; j++)
            z[j] = z[j] + a[i][j] * x[i];
    }
}

#include "main.h"
