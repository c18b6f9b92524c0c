// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
double g[n][n];
#pragma omp parallel for
for (int i = 0; i < n - 1; i++)
for (int j = 0; j < n - 1; j++) g[i][j + 1] = g[i][j];
use(g[0], w, 0, 0);
    use(v, w, x + y + k, s);
}
