/* Lengths that are numbers stand between and after those that are variables. */
#include <stdio.h>

typedef double Four[4];

static void fill(int n, int m, double a[n][m][3], double b[n][2][m][m])
{
    {
        /* s2s: parallel loop over 'i' */
        if (/* sizes for which this is right */
            n >= 1 && m >= 1
            /* 'a' and 'b' do not overlap */
            && ((const char *)(a + n) <= (const char *)b
                || (const char *)(b + n) <= (const char *)a)) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < m; j++) {
                    a[i][j][2] = i - j;
                    b[i][1][j][m - 1] = a[i][j][2] * 2;
                }
            }
        } else {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            a[i][j][2] = i - j;
            b[i][1][j][m - 1] = a[i][j][2] * 2;
        }
        }
    }
}

static double sum(int n, int m, double out[n], Four a[n][m])
{
    double total = 0, rows[n][2];
    {
        /* s2s: parallel loop over 'j' */
        if (n >= 1 && m >= 1) {
#pragma omp parallel
            for (int i = 0; i < n; i++) {
#pragma omp barrier
#pragma omp for nowait
                for (int j = 0; j < m; j++) {
                    a[i][j][3] = i * j;
                }
#pragma omp barrier
#pragma omp single nowait
                {
                    rows[i][1] = a[i][m - 1][3];
                }
#pragma omp barrier
#pragma omp single nowait
                {
                    out[i] = rows[i][1] + 1;
                }
            }
        } else {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) a[i][j][3] = i * j;
        rows[i][1] = a[i][m - 1][3];
        out[i] = rows[i][1] + 1;
    }
        }
    }
    for (int i = 0; i < n; i++) total = total * 0.75 + out[i];
    return total;
}

int main(void)
{
    enum { N = 70, M = 9 };
    static double a[N][M][3], b[N][2][M][M], out[N];
    static Four c[N][M];
    fill(N, M, a, b);
    printf("%f %f\n", b[N - 1][1][3][M - 1], sum(N, M, out, c));
    return 0;
}
