// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    static double g[20][30]; int x = 0, y = 0, k = 0; double s = 0, v[9], w[9];
#pragma omp parallel for
for (int i = 1; i < 20; i++)
for (int j = 1; j < 30; j++) g[i][j] = g[i][j - 1];
    use(v, w, x + y + k, s);
}
