// s2s: --force -- -O2 -fopenmp
// run

void f(int n, int m, double (*restrict a)[70], double (*restrict b)[70], double (*restrict c)[70], double *restrict x, double *restrict y, double *restrict z)
{
    for (int i = 0; i < n; i++) { // remark: unrolled and jammed
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[k][j];
            a[i][j] /= a[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                a[i][j] -= a[i][k] * a[k][j];
    }
}

#include "main.h"
