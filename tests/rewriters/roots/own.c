// s2s: -- -O3 -fno-builtin
// stays
// A root of the program's own may do anything.
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
