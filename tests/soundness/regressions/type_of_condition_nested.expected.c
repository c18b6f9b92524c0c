// ``c ? 1 : x`` is a double where ``x`` is one; ``1`` alone is not.

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;
    unsigned q[64] __attribute__((aligned(64))); float r[64];
    for (int j = 0; j < 64; j++) { q[j] = j * 3; r[j] = j * 0.3f; }

{
    /* s2s: split at the boundaries */
    if (/* sizes for which this is right */
        n >= 1 && m >= 1
        /* 'u_' and 'v_' do not overlap */
        && ((const char *)(u + n) <= (const char *)v || (const char *)(v + n) <= (const char *)u)) {
        for (int i = 0; i < n; i++) {
            {
                const int j = 0;
                u[i][j] = (((unsigned int)(-1)) > 5 ? 2.0 : v[i][j]);
            }
#pragma omp simd
            for (int j = 1; j < m; j++) {
                u[i][j] = (((unsigned int)(q[j])) > 5 ? 2.0 : v[i][j]);
            }
        }
    } else {
for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) u[i][j] = ((j == 0 ? -1 : q[j]) > 5 ? 2.0 : v[i][j]);
    }
}
}

#include "soundness/main.h"
