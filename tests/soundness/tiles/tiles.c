// s2s: --force -- -O2 -fopenmp
// run

#include "soundness/numbers.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((b) >= (a) ? (b) : (a))
struct shape { int rows, columns; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    for (int ii = 0; ii < n; ii += 8) // remark: loops (ii, kk, i, k, j), unrolled and jammed 'i' by 4 and 'k' by 4
        for (int kk = 0; kk < m; kk += 4)
            for (int i = ii; i < MIN(ii + 8, n); i++)
                for (int j = 0; j < m; j++)
                    for (int k = kk; k < MIN(kk + 4, m); k++)
                        u[i][j] += v[i][k] * v[k][j];
}

#include "soundness/main.h"
