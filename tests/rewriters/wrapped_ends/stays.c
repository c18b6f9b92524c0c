// s2s: --passes=wrapped-ends -- -O3
// stays
/* Look-alikes: other ends and steps, sums of more, what the body changes, jumps, directives. */
#include <stddef.h>

int others(double *o, const double *a, int n, int m, int s)
{
    for (int i = 0; i < m; i++) o[i] = a[(i + 1) % n];
    for (int i = 0; i <= n; i++) o[i] = a[(i + 1) % n];
    for (int i = 0; i < n; i += 2) o[i] = a[(i + 1) % n];
    for (int i = n - 1; i >= 0; i--) o[i] = a[(i + 1) % n];
    for (int i = -5; i < n; i++) o[i + 5] = a[(i + 5) % n];
    for (int i = 0; i < n; i++) o[i] = a[(i + s) % n];
    for (int i = 0; i < n; i++) o[i] = a[(2 * i + 1) % n];
    for (int i = 0; i < n; i++) o[i] = a[(i + 100) % n];
    for (int i = 0; i < n; i++) o[i] = a[(m - i + 1) % n];
    for (int i = 0; i < n; i++) o[i] = a[(i + 1 + n) % (size_t)n];
    return n;
}

int changed(double *o, const double *a, int n, int *q)
{
    int v = n;
    for (int i = 0; i < n; i++) o[i] = a[(i + 1) % n], n -= o[i] > 3;
    for (int i = 0; i < n; i++) o[i] = a[(i + 1) % n], i += o[i] > 3;
    q = &v;
    for (int i = 0; i < v; i++) o[i] = a[(i + 1) % v], *q = 7;
    for (int i = 0; i < n; i++) {
        static int calls;
        o[i] = a[(i + 1) % n] + calls++;
    }
    for (int i = 0; i < n; i++) {
        if (a[i] < 0) break;
        o[i] = a[(i + 1) % n];
    }
#pragma omp simd
    for (int i = 0; i < n; i++) o[i] = a[(i + 1) % n];
    return n;
}
