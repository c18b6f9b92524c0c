// s2s: --force -- -O2 -fopenmp
// stays

#include "soundness/numbers.h"

enum { K = 3 };
static void row(int i, int m, double (*u)[m], double (*v)[m])
{ for (int j = 1; j < m - 1; j++) u[i][j] = v[i-1][j] * K; }
void sweep(int n, int m, int T, double *u_, double *v_)
{
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;
enum { K = 9 };
    for (int t = 0; t < T; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            { row(i, m, u, v); u[i][0] = K; } // missed: 'K' means something else
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i][j] + 0.01 * u[i-1][j];
    }
}

#include "soundness/main.h"
