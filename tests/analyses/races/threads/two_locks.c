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
{ omp_set_lock(&l); x += 1; omp_unset_lock(&l); } // warning: data race on 'x': nothing orders these accesses of different threads
#pragma omp section
{ omp_set_lock(&m); x += 2; omp_unset_lock(&m); } // note: the other access is here
}
    use(v, w, x + y + k, s);
}
