// s2s: --force -- -O2 -fopenmp
// run

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    static double a[64][128], b[64][128];
    memcpy(a, u_, 8 * n * m); memcpy(b, v_, 8 * n * m);

for (int i = 0; i < T; i++) for (int j = 0; j < T; j++) b[i][j] = a[j][i]; // remark: tiled 24x24
    memcpy(u_, a, 8 * n * m); memcpy(v_, b, 8 * n * m);
}

#include "soundness/main.h"
