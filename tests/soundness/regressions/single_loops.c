// s2s: --force -- -O2 -fopenmp
// run

#include <stdio.h>
#define MOST 300
static short p[MOST], r[MOST], g[MOST];
static short a[48][48], b[48][48], c[48][48];
static double u[MOST], v[MOST], w[MOST];
static void dead(int n, short *p, short *r, short *g)
{
    int i;
    for (i = 0; i < n; i++) {
        p[i + 1] = g[i]; r[i + 3] = r[i + 3] + g[i]; r[i + 1] = g[i + 2]; p[i + 3] *= p[i + 1];
    }
}
static void product(int n)
{
    for (int i = 1; i < n; i += 1) // remark: unrolled and jammed
        for (int j = 1; j < n; j++) {
            b[i][j] *= 3;
            for (int k = 0; k < n; k += 1) b[i][j] -= c[i][k] * a[j][k];
        }
}
static double spliced(int n)
{
    double x = 3;
    for (int i = 0; i < n; i ++ \
        ) { u[i] = (v[i] + x) * 2; x = -v[i]; }
    for (int i = 0 // for
         ; i < n // ;
         ; i ++ // )
         ) { w[i] = (v[i] + x) * 2; x = -v[i]; }
    for (int i = '/' - "/* */"[0]; i < n; i++) { u[i] += (v[i] + x) * 2; x = -v[i]; } // remark: computed again from the iteration before
    return x;
}
int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 47, 255, 256, 257, 290};
    for (int s = 0; s < 17; s++) {
        int n = sizes[s];
        long sum = 0;
        for (int i = 0; i < MOST; i++) {
            p[i] = i % 7; r[i] = i % 5; g[i] = i % 11 - 4; v[i] = i % 13 * 0.5; u[i] = w[i] = 0;
        }
        for (int i = 0; i < 48; i++)
            for (int j = 0; j < 48; j++)
                a[i][j] = i - j, b[i][j] = i * j % 9, c[i][j] = i % 3 - j % 4;
        dead(n, p, r, g);
        if (n < 48) product(n);
        double x = spliced(n);
        for (int i = 0; i < MOST; i++) sum = (sum * 31 + p[i] + 3 * r[i]) & 0xffffffff;
        for (int i = 0; i < 48 * 48; i++) sum = (sum * 31 + b[i / 48][i % 48]) & 0xffffffff;
        for (int i = 0; i < MOST; i++) x = x / 3 + u[i] + w[i] / 7;
        printf("%d %ld %a\n", n, sum, x);
    }
    return 0;
}
