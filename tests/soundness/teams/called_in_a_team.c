// s2s: --force -- -O3 -fopenmp
// run
// A function that threads of a team call: its loop is shared by them, whatever runs before it.
#include <stdio.h>
enum { N = 96 };
static double a[N][N], b[N][N], row[N];
static int sizes[2] = { N - 2, N };
static void start(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 7 + j) % 13;
            b[i][j] = (i + 3 * j) % 11;
        }
}
static void fill(void)
{
    int j;
#pragma omp for schedule(static) nowait
    for (j = 0; j < N; j++)
        row[j] = row[j] * 0.5 + j;
}
static void sweep(void)
{
    int i, j;
    double left;
#pragma omp for schedule(static)
    for (j = 0; j < sizes[0]; j++)  // remark: permuted loops
        for (i = 0; i < sizes[1]; i++) {
            left = b[i][j] + row[j];
            a[i][j] += left * left;
        }
}
int main(void)
{
    int t;
    double sum = 0;
    start();
#pragma omp parallel private(t)
    for (t = 0; t < 5; t++) {
        fill();
        sweep();
    }
    sweep();
    for (t = 0; t < N * N; t++)
        sum = sum * 0.75 + a[t / N][t % N];
    printf("%.17g\n", sum);
    return 0;
}
