// s2s: --force -- -O2 -fopenmp
// stays
// A statement that begins inside of ``#else`` and ends behind ``#endif`` cannot move.

#include "soundness/numbers.h"
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;

    for (int t = 0; t < T; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) {
#ifdef FAST
            float c = 0.1;
#else
            double c = 0.1; // missed: conditional compilation overlaps a statement
#endif
            for (int j = 1; j < m - 1; j++) u[i][j] = c * v[i-1][j];
        }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) v[i][j] = u[i][j];
    }
}

#include "soundness/main.h"
