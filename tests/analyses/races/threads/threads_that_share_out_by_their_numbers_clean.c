// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel
{ int t = omp_get_thread_num(), c = omp_get_num_threads();
for (int i = t; i < n; i += c) p[i] = i; }
    use(v, w, x + y + k, s);
}
