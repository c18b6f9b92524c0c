// s2s: explain -- -fopenmp
// all: [race]

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel
{
#pragma omp for nowait reduction(+:s) // warning: data race on 's': nothing orders these accesses of different threads
for (int i = 0; i < n; i++) s += p[i];
w[omp_get_thread_num()] = s; // note: the other access is here
}
    use(v, w, x + y + k, s);
}
