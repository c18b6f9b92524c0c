// s2s: --force -- -O2 -fopenmp
// stays
// not said: [race]

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;
#pragma GCC unroll 2
    for (int j = 0; j < m; j++) // missed: wants a loop
        for (int i = 1; i < n; i++)
 u[i][j] += v[i][j];
}

#include "soundness/main.h"
