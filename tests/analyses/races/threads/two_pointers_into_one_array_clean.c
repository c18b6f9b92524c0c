// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
double *lo = v, *hi = v + 50;
#pragma omp parallel for
for (int i = 0; i < 50; i++) { lo[i] = i; hi[i] = i; }
    use(v, w, x + y + k, s);
}
