// s2s: --force -- -O2 -fopenmp
// run

#include "soundness/numbers.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((b) >= (a) ? (b) : (a))
struct shape { int rows, columns; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    for (int jj = 0; jj <= m - 1; jj += 5)
        for (long i = 0; i < n; i++)
            for (int j = jj; j <= MIN(m - 1, jj + 4); j++)
                for (long k = 0; k < m; k++)
                    u[i][j] += v[i][k] * v[k][j];
}

#include "soundness/main.h"
