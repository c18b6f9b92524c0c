// s2s: -- -O3
// stays
// One that the file defines, too.
#include <stdio.h>

double sqrt(double x)
{
    printf("%g\n", x);
    return x;
}

void roots(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = sqrt(from[i]);
}
