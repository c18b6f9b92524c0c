// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel sections
{
#pragma omp section
x = 1; // warning: data race on 'x': nothing orders these accesses
#pragma omp section
x = 2; // note: the other access is here
}
    use(v, w, x + y + k, s);
}
