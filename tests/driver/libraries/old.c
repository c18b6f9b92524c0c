/* C90, which is C++, too: counters are declared first. */
#include <stdio.h>
#include <stdlib.h>
#define N 40

static double a[N][N], b[N][N], c[N][N], bias[N], x[N], y[N];

static int product(int n, double beta)
{
    int i, j, k;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            double sum = bias[j];
            for (k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum > 0 ? sum : 0.5 * sum;
        }
    for (i = 0; i < n; ++i) {
        y[i] *= beta;
        for (j = 0; j < n; ++j)
            y[i] += 2 * c[i][j] * x[j];
    }
    return n;
}

static void rows(int n, double **to, double **by, double **with)
{
    int i, j, k;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            for (k = 0; k < n; k++)
                to[i][j] += by[i][k] * with[j][k];
}

int main(void)
{
    double *p[N], *q[N], *r[N];
    int i, n;
    for (i = 0; i < N * N; i++) {
        a[i / N][i % N] = i % 7 - 3;
        b[i / N][i % N] = i % 5 - 2;
    }
    for (i = 0; i < N; i++) {
        bias[i] = i;
        x[i] = i % 3;
        y[i] = 1;
        p[i] = a[i];
        q[i] = b[i];
        r[i] = c[i];
    }
    n = product(N, 2);
    rows(N, r, p, q);
    for (i = 0; i < N; i++)
        printf("%g %g %g\n", c[i][i], c[i][(i * 7) % N], y[i]);
    printf("%d\n", n);
    return 0;
}
