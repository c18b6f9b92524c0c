#include "soundness/numbers.h"

static int search(const double *table, int count, double key)
{
    int k;
#pragma GCC unroll 8
    for (k = 0; k < count; k++)
        if (table[k] >= key) return k;
    return count - 1;
}
void sweep(int n, int m, int T, double *u_, double *v_)
{
    int k;
#pragma omp parallel for schedule(dynamic, n > 0 ? n / 256 + 1 : 1) private(k)
    for (int i = 0; i < n; i++) {
        k = search(v_, m, u_[i] * 0.5);
        u_[i] += v_[k];
    }

#pragma omp parallel for schedule(dynamic, n > 0 ? n / 256 + 1 : 1)
    for (int i = 0; i < n; i++) {
        double x = u_[i];
        while (x > 0.01) x *= 0.9;
        u_[i] = x;
    }
}

#include "soundness/main.h"
