#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#ifndef N
#define N 3000
#endif
#define K 2.0f
double A[N + 2], B[N + 2];
float M[8][N + 8];
static void all(int n, double *restrict a, const double *restrict b, double s) {
    for (int i = 0; i < n; i++)
        a[i] = b[i] * s + 1.0;
}
static void reads_ahead(int n, double *a, double *b, double *c) {
    for (int i = 0; i < n; i++) {
        a[i] = b[i] + c[i];
        b[i] = a[i + 1] * K;
    }
}
static void strips(int n, float *restrict a, float *restrict b, float *restrict c) {
    for (int i = 1; i < n; i++) {
        a[i] = b[i] + c[i];
        b[i] = a[i - 1] * 2.0f + a[i + 1];
    }
}
static void sinks(int n, int *restrict a, int *restrict b, int *restrict c, int *restrict d) {
    for (int i = 1; i < n - 1; i++) {
        a[i] = b[i] + c[i];
        d[i] = a[i] - a[i - 1];
        a[i + 1] = b[i] + 2 * d[i];
    }
}
static void ahead_and_behind(int n, int *restrict a, const int *restrict b, int *restrict d) {
    for (int i = 2; i < n - 3; i++) {
        a[i] = b[i] * 3;
        d[i] = a[i - 1] + a[i - 2] + a[i + 1] - a[i + 2] * a[i + 3];
    }
}
static void running_example(int n, int *restrict x, int *restrict y, int *restrict z) {
    for (int i = 5; i < n / 2 - 2; i++) {
        x[i + 5] = y[i - 3] + z[2 * i + 2];
        z[2 * i] = x[i - 1] + 1;
        x[i] = y[i + 4] - 1;
        y[i] = z[2 * i - 4];
    }
}
static void strided(int n, unsigned short *restrict a, const unsigned short *restrict b) {
    for (int i = 1; i < n; i += 3) {
        a[i] = a[i + 1] + b[i];
        if (i < n / 2)
            a[i + 1] = b[i - 1];
    }
}
static void down(long n) {
    for (long i = n; i >= 1; i -= 2)
        A[i] = sqrt(fabs(B[i])) + A[i - 1];
}
static void rows(int r, int n) {
    for (int j = 1; j < n; j++)
        M[r][j] = M[r + 1][j] * 0.5f + M[r + 2][j + 1];
}
static void copies(int n, unsigned *a, unsigned *b) {
    for (int i = 0; i < n; i++) {
        unsigned t = a[i] * 3u;
        b[i] = t ^ (t >> 3);
        a[i] = t + i;
    }
}
static double sum(int n, const double *a) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : N;
    static double x[N + 2], y[N + 2], z[N + 2];
    static float f[N + 2], g[N + 2], h[N + 2];
    static int p[N + 2], q[N + 2], r[N + 2], s[N + 3];
    static unsigned u[N + 2], v[N + 2];
    static int w[N + 2], o[N + 8], t[N + 8];
    static unsigned short e[N + 2], e2[N + 2];
    for (int i = 0; i < N + 2; i++) {
        A[i] = x[i] = i % 7 * 0.25; B[i] = y[i] = i % 11 - 3; z[i] = i % 5;
        f[i] = i % 13; g[i] = i % 3 + 0.5f; h[i] = i % 9;
        p[i] = i % 8; q[i] = i % 6; r[i] = i % 10; s[i] = 0; u[i] = i; v[i] = 7;
        w[i] = i % 17; o[i] = i; t[i] = -i; e[i] = i; e2[i] = i * 7;
        for (int k = 0; k < 8; k++) M[k][i] = i % (k + 3);
    }
    all(n, x, y, 1.5);
    reads_ahead(n, x, y, z);
    strips(n, f, g, h);
    ahead_and_behind(n, w, q, s + 1);
    running_example(n, o, q, t);
    strided(n, e, e2);
    sinks(n, p, q, r, s);
    down(n);
    rows(2, n);
    copies(n, u, v);
    for (int i = 0; i < N + 2; i++)
        printf("%a %a %a %a %d %d %a %a %u %u %d %d %d %d\n", x[i], y[i], f[i], g[i], p[i], s[i], A[i], M[2][i], u[i], v[i], w[i], e[i], o[i], t[i]);
    printf("%a\n", sum(n, x));
    return 0;
}
