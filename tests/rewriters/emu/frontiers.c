#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    const long n = 200;
    long *a = malloc(n * sizeof(long)), *b = malloc(n * sizeof(long)), sum = 0;
#pragma omp parallel for
    for (long i = 0; i < n; i++)
        a[i] = 3 * i;
#pragma omp parallel for
    for (long i = 0; i < n; i++)
        b[i] = a[i] + i;
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n; i++)
        sum += b[n - 1 - i];
    printf("%ld\n", sum);
    return 0;
}
