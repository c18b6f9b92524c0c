// s2s: --force -- -O2 -fopenmp
// stays
// not said: [race]

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;enum { A, B } e;

    for (int t = 0; t < T; t++) {
#pragma omp parallel for private(e)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                e = B, u[i][j] = 0.25 * (v[i-1][j] + v[i+1][j] + v[i][j-1] + v[i][j+1]); // missed: cannot be repeated
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i][j] + 0.01 * u[i-1][j];
    }
}

#include "soundness/main.h"
