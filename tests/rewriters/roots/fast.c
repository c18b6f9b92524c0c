// s2s: -- -Ofast
// stays
// Roots set no errno there.
#include <math.h>

void roots(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = sqrt(from[i]);
}
