// s2s: --force -- -O2 -fopenmp
// run
// text: int j;

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_; int j = 3; double half = 7;

    for (int t = 0; t < T; t++) {
#pragma omp parallel for private(j, half)
        for (int i = 1; i < n - 1; i++) {
            half = i * 0.5;
            for (j = 1; j < m - 1; j++)
                u[i][j] = 0.25 * (v[i-1][j] + v[i+1][j]) + half;
        }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i][j] + 0.01 * u[i-1][j];
    }
}

#include "soundness/main.h"
