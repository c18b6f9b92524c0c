// s2s: --force -- -O2 -fopenmp
// run

#include "soundness/numbers.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((b) >= (a) ? (b) : (a))
struct shape { int rows, columns; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    for (int d = 2; d < n + m - 1; d++)
        for (int i = MAX(1, d - m + 1); i <= MIN(n - 1, d - 1); i++)
            u[i][d - i] = 0.5 * (u[i - 1][d - i] + u[i][d - i - 1]);
}

#include "soundness/main.h"
