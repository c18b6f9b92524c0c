// s2s: --force -- -O2 -fopenmp
// run
// not said: [race]

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
 u[i][j] = u[i-1][j] * 0.5 + v[i-1][j];
}

#define CALL sweep(n, m, T, u_, u_ + m);
#include "soundness/main.h"
