// s2s: --passes jam --force -- -O2 -fopenmp
// run

void f(int n, int m, double (*restrict a)[70], double (*restrict b)[70], double (*restrict c)[70], double *restrict x, double *restrict y, double *restrict z)
{
    for (int i = 0; i < n; i++) // remark: unrolled and jammed
        for (int j = 0; j < m; j++) {
            c[i][j] = 0.5;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

#include "main.h"
