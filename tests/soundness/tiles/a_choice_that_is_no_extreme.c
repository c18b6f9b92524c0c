// s2s: --force -- -O2 -fopenmp
// run

#include "soundness/numbers.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((b) >= (a) ? (b) : (a))
struct shape { int rows, columns; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    for (int j = 0; j < m; j++)
        for (int i = T > 30 ? 1 : j; i < (j < 3 ? n : m < n ? m : 1); i++)
            u[i][j] += v[i][j] * 2.0;
}

#include "soundness/main.h"
