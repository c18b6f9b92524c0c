// s2s: --force -- -O3 -fopenmp
// run
// stays
// What threads of a team have for themselves: another one may not run their iterations.
#include <stdio.h>
#include <omp.h>
enum { N = 64 };
static double a[N][N], b[N][N];
static void numbered(int number)
{
#pragma omp for schedule(static)
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[i][j] += b[i][j] * number;  // missed: 'number' may differ between threads
}
static void summed(double *total)
{
    double sum = 0;
#pragma omp for schedule(static) nowait
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            sum += b[i][j];  // missed: each thread has its own 'sum'
#pragma omp atomic
    *total += sum;
}
static void copied(void)
{
    double own[N];
    int first = omp_get_thread_num();
    for (int i = 0; i < N; i++)
        own[i] = i;
#pragma omp for schedule(static)
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[i][j] += own[i] + 0 * first;  // missed: may differ between threads
}
int main(void)
{
    double total = 0, sum = 0;
    for (int i = 0; i < N * N; i++)
        b[i / N][i % N] = i % 17;
#pragma omp parallel
    {
        numbered(omp_get_num_threads() > 0);
        summed(&total);
        copied();
    }
    for (int i = 0; i < N * N; i++)
        sum += a[i / N][i % N];
    printf("%g %g\n", total, sum);
    return 0;
}
