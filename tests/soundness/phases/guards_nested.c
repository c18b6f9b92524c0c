// s2s: --force -- -O2 -fopenmp
// run

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double *w = (double *)calloc((size_t)n + 1, sizeof *w);

#pragma omp parallel
#pragma omp single
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n; i++)
            if (u_[i] > 0.5) { if (v_[i] < 0.9) {
#pragma omp task depend(inout: w[i])
w[i] += 1; } }
    }

    for (int i = 0; i < n; i++) u_[i] += w[i]; free(w);
}

#include "soundness/main.h"
