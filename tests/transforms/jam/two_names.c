// s2s: --force --passes=jam -- -O2 -fopenmp
// stays
// Under two names one element would have two locals.

void f(int n, int m, double (*restrict a)[70], double (*restrict b)[70], double (*restrict c)[70], double *restrict x, double *restrict y, double *restrict z)
{double (*d)[70] = c;

    for (int i = 0; i < n; i++) // missed: differ in names
        for (int j = 0; j < m; j++) { // missed: differ in names
            c[i][j] = 0.5;
            for (int k = 0; k < n; k++)
                d[i][j] += a[i][k] * b[k][j];
        }
}

#include "main.h"
