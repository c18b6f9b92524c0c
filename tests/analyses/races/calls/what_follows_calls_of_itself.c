// s2s: explain -- -fopenmp
// all: [race]

#include <stdlib.h>
static void least(double *c, int n) { while (n--) { *c++ = n; } }
void halves(double *c, const double *a, int n, int depth)
{
    unsigned h = n / 2;
    double *t;
    if (n < 16) {
        least(c, n);
        return;
    }
    t = calloc(n, sizeof *t);
    if (depth < 3) {
#pragma omp task
        halves(c, a, h, depth + 1); // warning: data race on 'c': nothing orders these accesses
#pragma omp task
        halves(c + h, a + h, h, depth + 1);
#pragma omp task
        halves(c, a, h, depth + 1); // note: the other access is here
#pragma omp taskwait
        for (int i = 0; i < n; i++) c[i] += t[i];
    } else {
        for (int i = 0; i < n; i++) c[i] = a[i];
    }
    free(t);
}
