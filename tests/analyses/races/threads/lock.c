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
omp_unset_lock(&l);
x += 1; // warning: data race on 'x': nothing orders these accesses of different threads // note: here is the other access, of another one
}
    use(v, w, x + y + k, s);
}
