// Shared loops in loops that each thread runs: hoisted where their iterations are independent.
#include <stdio.h>
enum { N = 40 };
static int size[3] = { N, N - 3, N - 1 };
static double a[3][N][N][N], r[N][N][N];
static void forward(void)
{
    int i, j, k, i1;
    double factor;
    {
        /* s2s: hoisted the shared loop over 'j' out of 'i' */
#pragma omp barrier
        if (/* sizes for which this is right */
            size[0] >= 2 && size[0] <= 40 && size[1] >= 2 && size[1] <= 40 && size[2] >= 1
            && size[2] <= 40) {
#pragma omp for
            for (int j = 1; j < size[1]; j++) {
                for (int i = 0; i < size[0] - 1; i++) {
                    for (int k = 0; k < size[2]; k++) {
                        double factor;
                        int i1;
                        { i1 = i + 1; {
                            factor = 1.0 / a[1][i][j][k];
                            a[2][i][j][k] = factor * a[2][i][j][k];
                            r[i][j][k] = factor * r[i][j][k];
                            a[1][i1][j][k] -= a[0][i1][j][k] * a[2][i][j][k];
                            r[i1][j][k] -= a[0][i1][j][k] * r[i][j][k];
                        } }
                    }
                }
            }
        } else {
    for (i = 0; i < size[0] - 1; i++) {
        i1 = i + 1;
#pragma omp for
        for (j = 1; j < size[1]; j++)
            for (k = 0; k < size[2]; k++) {
                factor = 1.0 / a[1][i][j][k];
                a[2][i][j][k] = factor * a[2][i][j][k];
                r[i][j][k] = factor * r[i][j][k];
                a[1][i1][j][k] -= a[0][i1][j][k] * a[2][i][j][k];
                r[i1][j][k] -= a[0][i1][j][k] * r[i][j][k];
            }
    }
        }
    }
}
static void neighbours(void)
{
    int i, j, k;
    for (i = 1; i < size[0]; i++) {
#pragma omp for
        for (j = 1; j < size[1]; j++)
            for (k = 0; k < size[2]; k++)
                r[i][j][k] += 0.25 * r[i - 1][j - 1][k];
    }
}
static void both(void)
{
    int i, j, k, m;
    {
        /* s2s: one shared loop over 'j' in place of 2 inside of 'i' */
#pragma omp barrier
        if (/* sizes for which this is right */
            ((size[0] >= 2 && size[0] <= 40 && size[1] >= 2 && size[1] <= 40
              && size[2] >= 1 && size[2] <= 40)
             || (size[0] == 41 && size[1] == 2 && size[2] >= 1 && size[2] <= 40))) {
#pragma omp for
            for (long s2s_j = 1; s2s_j < size[1]; s2s_j++) {
                if (s2s_j >= 2) {
                    for (int i = 1; i < size[0]; i++) {
                        {
                            const int j = (int)s2s_j;
                            for (int k = 0; k < size[2]; k++) {
                                r[i][j][k] -= 0.5 * a[0][i - 1][j][k];
                            }
                        }
                        {
                            const int m = (int)s2s_j;
                            for (int k = 0; k < size[2]; k++) {
                                a[0][i][m][k] = 0.25 * r[i][m][k] + a[0][i - 1][m][k];
                            }
                        }
                    }
                } else {
                    const int j = 1;
                    for (int i = 1; i < size[0]; i++) {
                        for (int k = 0; k < size[2]; k++) {
                            r[i][j][k] -= 0.5 * a[0][i - 1][j][k];
                        }
                    }
                }
            }
        } else {
    for (i = 1; i < size[0]; i++) {
#pragma omp for nowait
        for (j = 1; j < size[1]; j++)
            for (k = 0; k < size[2]; k++)
                r[i][j][k] -= 0.5 * a[0][i - 1][j][k];
#pragma omp barrier
#pragma omp for
        for (m = size[1] - 1; m >= 2; m--)
            for (k = 0; k < size[2]; k++)
                a[0][i][m][k] = 0.25 * r[i][m][k] + a[0][i - 1][m][k];
    }
        }
    }
}
static void crossed(void)
{
    int i, j, k;
    for (i = 1; i < size[0]; i++) {
#pragma omp for
        for (j = 1; j < size[1]; j++)
            for (k = 0; k < size[2]; k++)
                a[2][i][j][k] = 0.5 * a[2][i - 1][j][k];
#pragma omp for
        for (j = 1; j < size[1]; j++)
            for (k = 0; k < size[2]; k++)
                r[i][j][k] += 0.25 * a[2][i][j - 1][k];
    }
}
static int last(void)
{
    int i, j, i1 = 0;
    for (i = 0; i < size[0] - 1; i++) {
        i1 = i + 1;
#pragma omp for nowait
        for (j = 1; j < size[1]; j++)
            r[i1][j][0] += 0.5 * r[i][j][0];
    }
    return i1;
}
static void whole(int n)
{
    int i, j, k, before;
    {
        /* s2s: hoisted the shared loop over 'j' out of 'i' */
        if (n >= 2 && n <= 40) {
#pragma omp parallel for
            for (int j = 0; j < n; j++) {
                if (n >= 2) {
                    for (int i = n - 2; i >= 0; i--) {
                        for (int k = 0; k < n; k++) {
                            int before;
                            before = i + 1; r[i][j][k] -= a[2][i][j][k] * r[before][j][k];
                        }
                    }
                }
            }
        } else {
#pragma omp parallel private(i, j, k, before)
    for (i = n - 2; i >= 0; i--) {
        before = i + 1;
#pragma omp for
        for (j = 0; j < n; j++)
            for (k = 0; k < n; k++)
                r[i][j][k] -= a[2][i][j][k] * r[before][j][k];
    }
        }
    }
}
int main(void)
{
    double sum = 0;
    int at = 0;
    for (int k = 0; k < N * N * N; k++) {
        a[0][k / N / N][k / N % N][k % N] = (k * 7 % 31) / 64.0;
        a[1][k / N / N][k / N % N][k % N] = 3 + (k % 11) / 16.0;
        a[2][k / N / N][k / N % N][k % N] = (k * 5 % 23) / 64.0;
        r[k / N / N][k / N % N][k % N] = k % 17;
    }
    for (int t = 0; t < 3; t++) {
        size[1] = t == 1 ? 3 : N - t;
#pragma omp parallel
        {
            int found;
            forward();
            neighbours();
            both();
            crossed();
            found = last();
#pragma omp single
            at += found;
        }
        whole(t == 2 ? 1 : N - t);
    }
    forward();
    for (int k = 0; k < N * N * N; k++)
        sum = sum * 0.99 + r[k / N / N][k / N % N][k % N];
    printf("%d %.17g\n", at, sum);
    return 0;
}
