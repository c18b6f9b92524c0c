// s2s: --force -- -O2 -fopenmp
// run
// Statements stay with the declaration of a type that their text may name.

#include "soundness/numbers.h"
struct p { char c; };void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    for (int t = 0; t < T; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
{ struct p { double d[3]; }; for (int j = 1; j < m - 1; j++) u[i][j] = sizeof(struct p) * v[i-1][j]; }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i][j] + 0.01 * u[i-1][j];
    }
}

#include "soundness/main.h"
