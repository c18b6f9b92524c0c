// s2s: --force -- -O2 -fopenmp
// run

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double *x = u_; double (*a)[n + 2] = (double (*)[n + 2])(u_ + n + m + 64); double (*b)[n + 2] = (double (*)[n + 2])v_; if (sizeof(double) * ((m + 2) * (n + 2) + n + m + 64) > sizeof(double) * 4 * (n + 2) * (m + 2)) return;

    for (int i = 1; i < n; i++) // remark: interchanged loops to (j, i) and (i, j)
        for (int j = 0; j < m; j++) {
            x[i] = a[j][i] - x[i - 1];
            a[j][i] = x[i] * x [i] + b[j][i];
        }
}

#include "soundness/main.h"
