// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel for private(k)
for (int i = 0; i < n; i++) for (k = 0; k < 9; k++) p[9 * i + k] = k;
    use(v, w, x + y + k, s);
}
