#include <stdio.h>
#define N 9
#define SQUARE(v) ((v) * (v))
static int n[3] = {9, 9, 9};
static TYPE t1, t2, factor;
#pragma omp threadprivate(t1, t2)
static TYPE s[N][N][N][SIZE], f[N][N][N][SIZE], a[N][N][N][SIZE][SIZE];
STATIC TYPE x[N][N][N][SIZE];
static void subtract(TYPE m[SIZE][SIZE], TYPE v[SIZE], TYPE w[SIZE])
{
    int r, c;
    TYPE sum;
    for (r = 0; r < SIZE; r++) {
        sum = w[r];
        for (c = 0; c < SIZE; c++)
            sum = sum - m[r][c] * v[c];
        w[r] = sum;
    }
}
static void divide(TYPE m[SIZE][SIZE], TYPE w[SIZE])
{
    int c;
    TYPE pivot;
    pivot = 1 / (SQUARE(m[0][0]) + 1);
    for (c = 0; c < SIZE; c++) {
        m[0][c] *= pivot;
        w[c] *= pivot;
    }
    m[1][0] -= m[0][1] * pivot;
}
SOLVERS
static void show(void)
{
    int i, j, k, m;
    double sum = 0, other = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            for (k = 0; k < N; k++)
                for (m = 0; m < SIZE; m++) {
                    sum = sum * 0.9 + x[i][j][k][m];
                    other = other * 0.9SHOWN;
                }
    printf("%.17g %.17g\n", sum, other);
}
int main(void)
{
    int i, j, k, m, c, t;
    n[0] = FIRST;
    n[1] = 8;
    n[2] = 7;
    factor = 0.25;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            for (k = 0; k < N; k++)
                for (m = 0; m < SIZE; m++) {
                    s[i][j][k][m] = 0.01 * ((i * 7 + j * 5 + k * 3 + m) % 17);
                    x[i][j][k][m] = 0.1 * ((i + j * 2 + k * 3 + m * 5) % 13);
                    f[i][j][k][m] = 0.02 * ((i + j + k + m) % 5);
                    for (c = 0; c < SIZE; c++)
                        a[i][j][k][m][c] = 0.03 * ((i * 2 + j + k + m - c) % 7);
                }
    for (t = 0; t < 3; t++) {
        CHANGES
CALLS
        show();
    }
    return 0;
}
