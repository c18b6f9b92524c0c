// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel
{
#pragma omp for nowait
for (int i = 0; i < n; i++) p[i] = i; // warning: data race on 'p': nothing orders these accesses
#pragma omp for
for (int i = 1; i < n; i++) q[i] = p[i]; // note: the other access is here
}
    use(v, w, x + y + k, s);
}
