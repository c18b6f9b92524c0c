// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel
{
#pragma omp for reduction(+:s)
for (int i = 0; i < n; i++) s += p[i];
w[omp_get_thread_num()] = s;
}
    use(v, w, x + y + k, s);
}
