// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    omp_lock_t l, m; int x = 0, y = 0, k = 0; double s = 0, v[9], w[9];
omp_init_lock(&l);
#pragma omp parallel
{
omp_set_lock(&l);
x += 1;
omp_unset_lock(&l);
}
    use(v, w, x + y + k, s);
}
