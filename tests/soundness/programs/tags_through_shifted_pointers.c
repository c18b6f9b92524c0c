// s2s: --force -- -O2 -fopenmp
// run
// not said: [race]

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;static char tags[2000]; char *a = tags + 10, *b = tags + 11; *a = *b = 0;

#pragma omp parallel
#pragma omp single
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) {
#pragma omp task depend(in: b[i - 2], b[i - 1], b[i]) depend(out: a[800 + i])
            for (int j = 1; j < m - 1; j++)
                if (v[i][j] < 0.9) u[i][j] = 0.25 * (v[i-1][j] + v[i+1][j] + v[i][j-1] + v[i][j+1]);
        }
        for (int i = 1; i < n - 1; i++) {
#pragma omp task depend(in: b[799 + i], b[798 + i]) depend(inout: a[i])
            for (int j = 1; j < m - 1; j++)
                if (u[i][j] > 0.1) v[i][j] = u[i][j] + 0.01 * u[i-1][j];
        }
    }
}

#include "soundness/main.h"
