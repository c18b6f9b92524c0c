// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp simd
for (int i = 0; i < n; i++) { int c = at[i]; q[i] = p[c]; p[c] = i; }
    use(v, w, x + y + k, s);
}
