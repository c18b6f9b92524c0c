// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel
#pragma omp single
{
#pragma omp taskloop
for (int i = 0; i < n; i++) for (k = 0; k < 4; k++) p[4 * i + k] = k; // warning: data race on 'k': nothing orders these accesses // note: the other access is here
}
    use(v, w, x + y + k, s);
}
