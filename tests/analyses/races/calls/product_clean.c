// s2s: explain -- -fopenmp
// all: [race]

#include <stdlib.h>
static void sum(int n, double *c, int wc, const double *a, int wa)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i * wc + j] = c[i * wc + j] + a[i * wa + j];
}
static void base(double *c, const double *a, const double *b, int n, int wc, int wa)
{
    int i, j, k;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            double s = 0.0;
            for (k = 0; k < n; k++)
                s += a[i * wa + k] * b[k * wa + j];
            c[i * wc + j] = s;
        }
}
void product(double *c, const double *a, const double *b, int n, int wc, int wa, int least)
{
    double *c12, *c21, *t, *t12, *t21;
    int h = n / 2;
    if (n <= least) {
        base(c, a, b, n, wc, wa);
        return;
    }
    c12 = c + h;
    c21 = c + h * wc;
    t = (double *)malloc(sizeof(double) * n * n);
    t12 = t + h;
    t21 = t + h * n;
#pragma omp task untied
    product(c, a, b, h, wc, wa, least);
#pragma omp task untied
    product(c12, a, b + h, h, wc, wa, least);
#pragma omp task untied
    product(c21, a + h * wa, b, h, wc, wa, least);
#pragma omp task untied
    product(c21 + h, a + h * wa, b + h, h, wc, wa, least);
#pragma omp task untied
    product(t, a + h, b + h * wa, h, n, wa, least);
#pragma omp task untied
    product(t12, a + h, b + h * wa + h, h, n, wa, least);
#pragma omp task untied
    product(t21, a + h * wa + h, b + h * wa, h, n, wa, least);
#pragma omp task untied
    product(t21 + h, a + h * wa + h, b + h * wa + h, h, n, wa, least);
#pragma omp taskwait
    sum(n, c, wc, t, n);
    free(t);
}
