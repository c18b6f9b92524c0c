// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel
for (int t = 0; t < 8; t++) {
#pragma omp for nowait
for (int i = 1; i < n; i++) q[i] = p[i - 1];
#pragma omp barrier
#pragma omp for
for (int i = 1; i < n; i++) p[i] = q[i];
}
    use(v, w, x + y + k, s);
}
