// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    static omp_lock_t l, m; int x = 0, y = 0, k = 0; double s = 0, v[9], w[9];
#pragma omp parallel sections
{
#pragma omp section
{ omp_set_lock(&l); x += 1; omp_unset_lock(&l); }
#pragma omp section
{ omp_set_lock(&l); x += 2; omp_unset_lock(&l); }
}
    use(v, w, x + y + k, s);
}
