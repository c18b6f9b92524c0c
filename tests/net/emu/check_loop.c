#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    long n = 700, *a = calloc(n, sizeof(long)), next = 0;
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        BODY
    }
    for (long i = 0; i < n; i++)
        printf("%ld\n", a[i]);
    LAST
    return 0;
}
