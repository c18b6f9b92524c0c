// s2s: --passes=panels:vector=16 --force -- -O3
// run
// text x2: static __attribute__((noinline)) void s2s_tile_
// text x3: s2s_tile_0(
// text: s2s_tile_1(
#include <stdio.h>
#include <string.h>

static double a[40][300], b[300][50], c[40][50];
static float p[40][300], q[300][50], r[40][50];

/* Two products of one form have one function, with what each of them multiplies by. */
static void chain(int n, int m, int d, double alpha, double beta)
{
    // remark: operands in panels [panels]
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < d; k++)
                c[i][j] += a[i][k] * b[k][j] * alpha;
    memcpy(a, c, sizeof c);
    // remark: operands in panels [panels]
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < d; k++)
                c[i][j] += a[i][k] * b[k][j] * beta;
}

// Counted by
// unsigned numbers.
static void counted(unsigned n, unsigned m, unsigned d)
{
    // remark: operands in panels [panels]
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < m; j++)
            for (unsigned k = 0; k < d; k++)
                r[i][j] -= p[i][k] * q[k][j] * 0.5f;
}

int main(void)
{
    static const int sizes[][3] = {{40, 50, 300}, {6, 16, 16}, {17, 33, 256}, {3, 20, 9}};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 40 * 300; i++) a[i / 300][i % 300] = p[i / 300][i % 300] = i * 7 % 23 / 4.0 - 1;
        for (int i = 0; i < 300 * 50; i++) b[i / 50][i % 50] = q[i / 50][i % 50] = i * 5 % 19 / 8.0 - 2;
        for (int i = 0; i < 40 * 50; i++) c[i / 50][i % 50] = r[i / 50][i % 50] = i % 13;
        chain(sizes[s][0], sizes[s][1], sizes[s][2], 1.25, 0.75);
        counted(sizes[s][0], sizes[s][1], sizes[s][2]);
        for (int i = 0; i < 40 * 50; i++) printf("%.17g %.9g\n", c[i / 50][i % 50], r[i / 50][i % 50]);
    }
    return 0;
}
