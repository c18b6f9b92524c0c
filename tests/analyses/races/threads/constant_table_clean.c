// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    static const int t[6] = {4, 8, 15, 16, 23, 42}; int x = 0, y = 0, k = 0; double s = 0, v[9], w[9];
#pragma omp parallel for
for (int i = 0; i < 6; i++) p[t[i]] += 1;
    use(v, w, x + y + k, s);
}
