// s2s: -- -O3 -fmath-errno
// stays
// What the flags say of errno holds.
#include <math.h>

void roots(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = sqrt(from[i]);
}
