// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel
#pragma omp single
{ int c = 1;
#pragma omp task shared(c)
p[c] = c; // note: the other access is here
c = 2; // warning: data race on 'c': nothing orders these accesses of different tasks
#pragma omp taskwait
}
    use(v, w, x + y + k, s);
}
