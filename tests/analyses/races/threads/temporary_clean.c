// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel for private(s)
for (int i = 0; i < n; i++) { s = p[i] * 2; while (p[i] < s) p[i] += 1; }
    use(v, w, x + y + k, s);
}
