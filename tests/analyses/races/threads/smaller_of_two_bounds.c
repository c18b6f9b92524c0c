// s2s: explain -- -fopenmp
// all: [race]

static int least(int a, int b) { return a < b ? a : b; }

#include <omp.h>
void use(double *, double *, int, double);
void f(int n, double *p, double *q, const int *at)
{
    int x, y, k; double s, v[500], w[500];
#pragma omp parallel for
for (int i = 0; i < 90; i += 4)
for (int j = i; j < least(i + 5, 90); j++) p[j] = i; // warning: data race on 'p': nothing orders these accesses // note: the other access is here
    use(v, w, x + y + k, s);
}
