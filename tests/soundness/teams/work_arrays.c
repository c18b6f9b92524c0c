// s2s: --force -- -O3 -fopenmp -ffp-contract=off
// run
// Work arrays that each iteration of the loops around fills anew: lines with copies of them.
#include <stdio.h>
enum { N = 20 };
static int size[3];
static double left[3][N][N][N], speed[N][N][N], w_copy[N][N][N], w[N], v[2][N + 1];
#define MOST(a, b) ((a) > (b) ? (a) : (b))
static void across(void)
{
    double ru;
    int i, j, k;
    for (j = 1; j <= size[1] - 2; j++)  // remark: shared 'j' in place of 2 loops inside
        for (k = 1; k <= size[2] - 2; k++) {
#pragma omp for
            for (i = 0; i <= size[0] - 1; i++) {
                ru = 1.5 * w_copy[i][j][k];
                w[i] = speed[i][j][k];
                v[1][i + 1] = MOST(0.25 + ru, 2 - ru);
            }
#pragma omp for
            for (i = 1; i <= size[0] - 2; i++) {
                left[0][i][j][k] = -w[i - 1] - 0.5 * v[1][i];
                left[1][i][j][k] += 1.0 + v[1][i + 1];
                left[2][i][j][k] = w[i + 1] - v[1][i + 2] + w[i];
            }
        }
}
static void along(void)
{
    int i, j, k;
    for (i = size[0] - 1; i >= 0; i--) {  // remark: shared 'i' in place of 3 loops inside
        for (j = 0; j < size[1]; j++) {
#pragma omp for
            for (k = 0; k < size[2]; k++)
                w[k] = speed[i][j][k] * 3 - left[0][i][j][k];
#pragma omp for
            for (k = 1; k < size[2]; k++)
                left[1][i][j][k] -= w[k - 1] * w[k];
#pragma omp for
            for (k = 1; k < size[2]; k++)
                left[2][i][j][k] = w[k] / 2;
        }
    }
}
static void carried(void)
{
    int i, k;
    for (i = 0; i < size[0]; i++) {  // note: values of a work array come from other iterations
#pragma omp for
        for (k = 1; k < size[2]; k++)
            left[0][i][1][k] = w[k - 1];
#pragma omp for
        for (k = 0; k < size[2]; k++)
            w[k] = 0.5 * speed[i][1][k];
    }
}
static void partly(void)
{
    int i, k;
    for (i = 0; i < size[0]; i++) {  // note: values of a work array come from other iterations
#pragma omp for
        for (k = 1; k < size[2]; k++)
            w[k] = 0.5 * speed[i][2][k];
#pragma omp for
        for (k = 1; k < size[2]; k++)
            left[0][i][2][k] += w[k - 1];
    }
}
static void depend(void)
{
    int i, k;
    for (i = 1; i < size[0]; i++) {  // note: lines depend on each other
#pragma omp for
        for (k = 0; k < size[2]; k++)
            w[k] = 0.5 * left[1][i - 1][3][k];
#pragma omp for
        for (k = 1; k < size[2]; k++)
            left[1][i][3][k] = w[k - 1];
    }
}
static void shorter(void)
{
    int i, k;
    for (i = 0; i < size[0]; i++) {  // remark: shared 'i' in place of 2 loops inside
#pragma omp for
        for (k = i; k < size[2]; k++)  // the first iteration leaves elements that no later one sets
            w[k] = speed[i][4][k] + i;
#pragma omp for
        for (k = i; k < size[2]; k++)
            left[1][i][4][k] = w[k];
    }
}
int main(void)
{
    double sum = 0;
    for (int k = 0; k < N * N * N; k++) {
        speed[k / N / N][k / N % N][k % N] = (k * 7 % 31) / 64.0;
        w_copy[k / N / N][k / N % N][k % N] = (k * 11 % 13) / 16.0;
    }
    for (int t = 0; t < 4; t++) {
        size[0] = t == 2 ? 1 : N - t;
        size[1] = t == 1 ? 3 : N;
        size[2] = t == 3 ? 1 : N - 2 * t;
#pragma omp parallel
        {
            across();
            along();
            carried();
            partly();
            depend();
            shorter();
        }
        for (int k = 0; k < N; k++)
            sum = sum * 0.75 + w[k] + v[1][k];
    }
    for (int k = 0; k < 3 * N * N * N; k++)
        sum = sum * 0.99 + (&left[0][0][0][0])[k];
    printf("%.17g\n", sum);
    return 0;
}
