#include <stdio.h>
#include "act.h"
static double a[40 * 60], x[60], b[40], y[40];
static void layer(double *restrict out, const double *w, const double *in, int m, int n)
{
    int i, k;
    i = 0;
    while (i < m) {
        out[i] = b[i];
        k = 0;
        while (k < n) {
            out[i] += w[i * n + k] * in[k];
            ++k;
        }
        ++i;
    }
}
static double product(const double *v, const double *w, int n)
{
    double sum = 0;
    int k = 0;
    while (k < n) {
        sum += v[k] * w[k];
        k++;
    }
    return sum;
}
static int count(double *restrict out, const double *w, const double *in, int n)
{
    int k;
    out[0] = 0;
    k = 0;
    while (k < n) {
        out[0] += w[k] * in[k];
        k++;
    }
    return k;
}
static void gated(double *restrict out, const double *w, const double *in, int m, int n)
{
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += in[k] * w[k * m + i];
        out[i] = clipped(b[i]) + sum;
    }
}
int main(void)
{
    for (int k = 0; k < 2400; k++) a[k] = k % 7 - 3;
    for (int k = 0; k < 60; k++) x[k] = k % 5 - 1;
    for (int k = 0; k < 40; k++) b[k] = k % 3 - 1;
    for (int n = 0; n <= 60; n += 15) {
        layer(y, a, x, 40, n);
        for (int k = 0; k < 40; k++) printf("%g ", y[k]);
        printf("%g ", product(a, a + 7, n * 30));
        printf("%d ", count(y, a, x, n));
        gated(y, a, x, 40, n);
        for (int k = 0; k < 40; k++) printf("%g ", y[k]);
        printf("\n");
    }
    return 0;
}
