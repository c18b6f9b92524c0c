// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp simd safelen(4)
for (int i = 4; i < n; i++) p[i] = p[i - 4];
    use(v, w, x + y + k, s);
}
