// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel for
for (int i = 0; i < n; i++) if (p[i] > 0.5) k++; // warning: data race on 'k': nothing orders these accesses of different threads // note: here is the other access, of another one
    use(v, w, x + y + k, s);
}
