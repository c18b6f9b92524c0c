// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel for collapse(2)
for (int i = 0; i < n; i++)
for (int j = 1; j < n; j++) p[i * n + j] = p[i * n + j - 1]; // warning: data race on 'p': nothing orders these accesses // note: the other access is here
    use(v, w, x + y + k, s);
}
