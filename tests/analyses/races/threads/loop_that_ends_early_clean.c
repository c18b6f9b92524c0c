// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel for
for (int i = 0; i < n; i++)
for (int j = 0; j < n; j++) {
if (j == 1) break;
p[4 * i + j] = j;
}
    use(v, w, x + y + k, s);
}
