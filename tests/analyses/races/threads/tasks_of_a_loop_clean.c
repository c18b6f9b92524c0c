// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel
#pragma omp single
for (int i = 0; i < n; i++) {
#pragma omp task
p[i] = p[i + n];
}
    use(v, w, x + y + k, s);
}
