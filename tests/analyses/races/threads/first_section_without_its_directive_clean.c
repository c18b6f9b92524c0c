// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel sections
{
v[3] = 1;
#pragma omp section
v[4] = 2;
}
    use(v, w, x + y + k, s);
}
