// s2s: --force -- -O2 -fopenmp
// run
// text: (T >= 1 && 
// ``sizes || sizes && disjoint`` is true for arrays that overlap.

#include "soundness/numbers.h"

static void rows(int n, int m, double *u, double *v)
{
    for (int i = 1; i < n - 1; i++) {
#pragma omp task depend(in: v[i - 1], v[i], v[i + 1]) depend(out: u[i])
        u[i] = v[i - 1] + 0.5 * v[i + 1];
    }
}
void sweep(int n, int m, int T, double *u_, double *v_)
{
    (void)0;

#pragma omp parallel
#pragma omp single
    for (int t = 0; t < T; t++) { // remark: fused, skewed, tiled 32x1024 and pipelined 2 loops
        rows(n, m, u_, v_);
        rows(m, n, v_, u_);
    }
}

#include "soundness/main.h"
