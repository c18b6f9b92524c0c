// s2s: --force -- -O2 -fopenmp
// run

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    double d;
    for (int t = 0; t < T; t++) { // remark: pipelined 2 loops, split at the boundaries [popp]
#pragma omp parallel for private(d)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                if (i == 0) d = v[i][j]; else d = v[i - 1][j];
                u[i][j] = 0.5 * (v[i][j] + d) + (j == m - 1 ? 0.0 : v[i][j + 1]);
            }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                v[i][j] = u[i][j];
    }
}

#include "soundness/main.h"
