// s2s: --force -- -O2 -fopenmp
// run

#include "soundness/numbers.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((b) >= (a) ? (b) : (a))
struct shape { int rows, columns; };
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    struct shape s = {n, m};
    for (int j = 0; j < MIN(s.rows, s.columns); j++)
        for (int i = MAX(0, j - T); i <= MIN(n - 1, j + 2); i++)
            u[i][j] += v[i][j] * 2.0;
}

#include "soundness/main.h"
