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
#pragma omp taskloop nogroup
for (int i = 0; i < n; i++) p[i] = i; // warning: data race on 'p': nothing orders these accesses
p[0] = 2; // note: the other access is here
}
    use(v, w, x + y + k, s);
}
