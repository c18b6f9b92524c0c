// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel
{ int t = omp_get_thread_num(); v[t] = t; // warning: data race on 'v': nothing orders these accesses of different threads

w[t] = v[t + 1]; } // note: the other access is here
    use(v, w, x + y + k, s);
}
