// s2s: --force -- -O2 -fopenmp
// stays

#include "soundness/numbers.h"
#include <assert.h>
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    int b = 4;
#pragma omp parallel
#pragma omp master
    for (int t = 0; t < T; t++) {
        for (int jj = 0; jj < m; jj += b)
            for (int ii = 0; ii < n; ii += b)
#pragma omp task depend(in: v) depend(out: u)
            {
                int row = ii / b, i, j, first;
                double (*w)[m] = (double (*)[m])u_;
                first = row * b;
                for (i = first; i < (ii + b < n ? ii + b : n); i++)
                    for (j = jj; j < (jj + b > m ? m : jj + b); j++)
                        { assert(i < 1000); w[i][j] = v[i][j]; } // missed: a call may do anything
            }
        for (int jj = 0; jj < m; jj += b)
            for (int ii = 0; ii < n; ii += b)
#pragma omp task depend(inout: v) depend(in: u)
                for (int i = ii; i < (ii + b < n ? ii + b : n); i++)
                    for (int j = jj; j < (jj + b > m ? m : jj + b); j++)
                        if (i > 0 && j > 0 && i < n - 1 && j < m - 1)
                            v[i][j] = 0.25 * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1]);
    }
}

#include "soundness/main.h"
