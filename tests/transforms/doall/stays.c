// s2s: --parallel --passes=doall --force -- -fopenmp
// stays
/* What depends on the iterations before it, or is seen from outside, has one thread. */
#include <stdio.h>

void smooth(int n, double a[][64])
{
    // missed: every loop carries a dependence [doall]
    for (int i = 1; i < n; i++)
        for (int j = 1; j < 64; j++)
            a[i][j] = .5 * (a[i - 1][j - 1] + a[i - 1][j]) + a[i][j - 1];
}

double total(int n, double a[][64])
{
    double sum = 0;
    // missed: every loop carries a dependence [doall]
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 64; j++)
            sum += a[i][j];
    return sum;
}

void show(int n, double a[][64])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 64; j++)
            printf("%g\n", a[i][j]);
}

void never(int n, double a[][64], double *restrict b)
{
    for (int i = 0; i < n; i++) {
        b[i] = i;
        for (int j = i + 1; j < i; j++)
            a[i][j] = b[i];
    }
}
