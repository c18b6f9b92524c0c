// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel
#pragma omp single
{
#pragma omp taskloop private(k)
for (int i = 0; i < n; i++) for (k = 0; k < 4; k++) p[4 * i + k] = k;
}
    use(v, w, x + y + k, s);
}
