// s2s: --parallel --passes=pipeline:sizes=8x32:plane-sizes=4x4,doall --force -- -fopenmp
// run
/* Tables of dynamic programming: the first row and column inside of the nest, intervals, a skew. */
#include "soundness/numbers.h"

enum { ROWS = 70, COLUMNS = 200 };
static int table[ROWS][COLUMNS];

static int align(const unsigned char *x, const unsigned char *y)
{
    // remark: tiled 8x32, pipelined [pipeline]
    for (int i = 0; i < ROWS; i++) {
        table[i][0] = -2 * i;
        for (int j = 1; j < COLUMNS; j++)
            if (i == 0)
                table[i][j] = -2 * j;
            else {
                int best = table[i - 1][j - 1] + (x[i] == y[j] ? 3 : -1);
                if (best < table[i - 1][j] - 2) best = table[i - 1][j] - 2;
                if (best < table[i][j - 1] - 2) best = table[i][j - 1] - 2;
                table[i][j] = best;
            }
    }
    return table[ROWS - 1][COLUMNS - 1];
}

static void intervals(int n, const char *s, short t[n][n])
{
    // remark: tiled 8x32, pipelined [pipeline]
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            int best = t[i][j - 1] > t[i + 1][j] ? t[i][j - 1] : t[i + 1][j];
            int pair = t[i + 1][j - 1] + (s[i] == s[j] ? 2 : 0);
            t[i][j] = (short)(best > pair ? best : pair);
        }
}

static void sweep(int n, int m, double a[n][m])
{
    // remark: tiled 8x32, pipelined [pipeline]
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            a[i][j] = (a[i - 1][j - 1] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j]) / 4;
}

static void volume(int p, int q, int r, float v[p][q][r])
{
    // remark: tiled 4x4, pipelined [pipeline]
    for (int i = 1; i < p; i++)
        for (int j = 1; j < q; j++)
            for (int k = 1; k < r; k++)
                v[i][j][k] = v[i - 1][j][k] - 0.5f * v[i][j - 1][k] + 0.25f * v[i][j][k - 1];
}

int main(void)
{
    unsigned char x[ROWS], y[COLUMNS];
    double *p = numbers(70 * 200, 5);
    for (int k = 0; k < ROWS; k++) x[k] = k * k % 5;
    for (int k = 0; k < COLUMNS; k++) y[k] = k * 7 % 5;
    printf("%d\n", align(x, y));
    short *t = calloc(130 * 130, sizeof *t);
    intervals(130, (const char *)y, (void *)t);
    intervals(1, (const char *)y, (void *)t);
    show("t", t, 130 * 130 * sizeof *t);
    sweep(70, 200, (void *)p);
    sweep(2, 3, (void *)p);
    sweep(9, 2, (void *)p);
    show("p", p, 70 * 200 * sizeof *p);
    float *v = (float *)p;
    for (int k = 0; k < 20 * 20 * 20; k++) v[k] = (float)(k % 17);
    volume(20, 20, 20, (void *)v);
    show("v", v, 20 * 20 * 20 * sizeof *v);
    free(t);
    free(p);
    return 0;
}
