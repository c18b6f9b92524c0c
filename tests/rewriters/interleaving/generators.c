#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define N 40
static double tp[N + 8];
#pragma omp threadprivate(tp)
static double g[N + 8], *alias = g;
static double table[70][N + 8];
static int limit = 37;
static void fill0(int n, double *seed, double a, double y[])
{
    double x = *seed, t;
    for (int i = 0; i < n; i++) {
        t = a * x + 0.3125;
        x = t - (int)t;
        y[i] = x;
    }
    *seed = x;
}
static void fill1(int n, double *seed, double a, double *y)
{
    int i;
    double x, t1, t2, a1, a2, x1;
    t1 = 0.5 * 0.5 * 0.5 * a;
    a1 = (int)t1;
    a2 = a - 8.0 * a1;
    x = *seed;
    for (i = 1; i <= n; i++) {
        t1 = 0.125 * x; x1 = (int)(t1 * 16); t2 = x - x1 / 2;
        t1 = a1 * t2 + a2 * x1 + 0.75;
        x = t1 - (double)(int)t1;
        y[i] = x * 0.5;
    }
    *seed = x;
}
static int fill2(int n, double *seed, double a, double *y)
{
    double x = *seed;
    int k;
    for (int i = 0; i < n; i += 1) {
        for (k = 0; k < 3; k++) x = x > 0.5 ? (x - 0.5) * 1.75 : x * a / 8 + 0.125;
        y[i] = x;
    }
    seed[0] = x;
    return k;
}
static void fill3(int n, double *seed, double a, double *y)
{
    double x = *seed, before = a;
    for (int i = 0; i < n; i++) {
        y[i] = before + x;
        before = x * 0.5;
        x = (x + 1.0) / (a + 2.5) + before;
    }
    *seed = x;
}
static void step(double *s, double a) { double t = *s * a; *s = t - (int)t + 0.0625; }
