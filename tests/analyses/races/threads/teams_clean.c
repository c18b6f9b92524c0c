// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp target teams num_teams(1) map(tofrom: v)
v[5] += 1;
    use(v, w, x + y + k, s);
}
