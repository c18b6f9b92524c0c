// s2s: --force -- -O3 -fopenmp
// run
// A parallel region that is kept as it is, for the calls in it: its loops are shared in new code.
#include <stdio.h>
#include <stdlib.h>
enum { N = 80 };
static double a[N][N], b[N][N];
static int calls;
static void note(void)
{
    if (getenv("NOBODY_SETS_THIS"))
        exit(3);
    calls++;
}
static void run(int n, int steps)
{
    int t;
#pragma omp parallel private(t)
    {
        int last = steps;
        for (t = 0; t < last; t++) {
#pragma omp master
            note();
#pragma omp barrier
#pragma omp for
            for (int j = 1; j < n; j++)  // remark: permuted loops
                for (int i = 0; i < n; i++)
                    a[i][j] = a[i][j] * 0.5 + b[i][j];
#pragma omp for nowait
            for (int j = 1; j < n; j++)  // remark: permuted loops
                for (int i = 0; i < n; i++)
                    b[i][j] = a[i][j] - t;
        }
    }
}
int main(void)
{
    double sum = 0;
    for (int i = 0; i < N * N; i++)
        b[i / N][i % N] = i % 19;
    run(N, 4);
    run(3, 2);
    run(1, 2);
    for (int i = 0; i < N * N; i++)
        sum = sum * 0.5 + a[i / N][i % N] + b[i / N][i % N];
    printf("%d %.17g\n", calls, sum);
    return 0;
}
