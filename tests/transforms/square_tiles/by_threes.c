// s2s: --force -- -O2 -fopenmp
// run

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    static double a[64][128], b[64][128];
    memcpy(a, u_, 8 * n * m); memcpy(b, v_, 8 * n * m);

for (int i = T - 1; i > 0; i--) for (int j = n; j < T; j += 3) b[i][j] -= a[j][i - 1]; // remark: tiled 24x24
    memcpy(u_, a, 8 * n * m); memcpy(v_, b, 8 * n * m);
}

#include "soundness/main.h"
