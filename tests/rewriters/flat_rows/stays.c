// s2s: --passes=flat-rows -- -O3
// stays
/* Look-alikes: other starts, steps and types, what the body changes, jumps, and static variables. */
#include <stddef.h>

int later(double *o, const double *a, int w, int n)
{
    for (int p = 1; p < n; p++) o[p] = a[p % w];
    for (int p = 0; p < n; p += 2) o[p] = a[p % w];
    for (int p = n; p > 0; p--) o[p] = a[p % w];
    for (int p = 0; p <= n; p++) o[p] = a[p % w];
    for (int p = 0; p < n && a[p] > 0; p++) o[p] = a[p % w];
    return n;
}

void types(double *o, const double *a, int w, size_t n, unsigned u)
{
    for (size_t p = 0; p < n; p++) o[p] = a[p % w];
    for (int p = 0; p < w; p++) o[p] = a[p % u];
    for (int p = 0; (size_t)p < n; p++) o[p] = a[p % w];
    for (short p = 0; p < w; p++) o[p] = a[p % w];
}

void changed(double *o, const double *a, int w, int n, int *q)
{
    int v = w;
    q[0] = 3;
    for (int p = 0; p < n; p++) o[p] = a[p % w], w += o[p] > 3;
    for (int p = 0; p < n; p++) o[p] = a[p % w], n -= o[p] > 3;
    for (int p = 0; p < n; p++) o[p] = a[p % w], p += o[p] > 3;
    for (int p = 0; p < n; p++) o[p] = a[p % *q];
    q = &v;
    for (int p = 0; p < n; p++) o[p] = a[p % v], *q = 7;
}

int leaves(double *o, const double *a, int w, int n)
{
    for (int p = 0; p < n; p++) {
        if (a[p] < 0) break;
        o[p] = a[p % w];
    }
    for (int p = 0; p < n; p++) {
        static int calls;
        o[p] = a[p % w] + calls++;
    }
    for (int p = 0; p < n; p++) {
        if (a[p] < 0) return p;
        o[p] = a[p % w];
    }
#pragma omp simd
    for (int p = 0; p < n; p++) o[p] = a[p % w];
    return n;
}
