// s2s: --force -- -O2 -fopenmp
// run

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double *x = u_; double (*a)[n + 2] = (double (*)[n + 2])(u_ + n + m + 64); double (*b)[n + 2] = (double (*)[n + 2])v_; if (sizeof(double) * ((m + 2) * (n + 2) + n + m + 64) > sizeof(double) * 4 * (n + 2) * (m + 2)) return;

    for (int i = n - 1; i >= 0; i--) // remark: loops to (j, i)
        for (int j = 1; j < m; j++) {
            x[j] = 1.0 - x[j - 1];
            a[j][i] = x[j] + b[j][i];
        }
}

#include "soundness/main.h"
