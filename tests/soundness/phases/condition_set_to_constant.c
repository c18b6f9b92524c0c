// s2s: --force -- -O2 -fopenmp
// stays

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    (void)m;

#pragma omp parallel
#pragma omp single
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n; i++)
            if (u_[i] > 0.5) {
                u_[i] = 0.25;
#pragma omp task depend(inout: v_[i])
                v_[i] += 0.5 * v_[i] + u_[i];
            }
#pragma omp taskwait
    }
}

#include "soundness/main.h"
