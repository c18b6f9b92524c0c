// s2s: -- -O3
// stays
// What has been declared is left.
#include <errno.h>
#include <math.h>

/* s2s: roots depend on their operands alone: nothing here reads errno */
extern double (sqrt)(double) __attribute__((__const__));

void roots(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = sqrt(from[i]);
}
