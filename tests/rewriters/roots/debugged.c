// s2s: -- -O0
// stays
// Nothing becomes a vector where nothing is optimized.
#include <math.h>

void roots(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = sqrt(from[i]);
}
