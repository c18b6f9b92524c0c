// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel for
for (int i = 0; i < n; i++)
x += 1; // warning: data race on 'x': nothing orders these accesses // note: the other access is here
    use(v, w, x + y + k, s);
}
