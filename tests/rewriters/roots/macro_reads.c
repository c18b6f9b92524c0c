// s2s: -- -O3
// stays
// A macro asks for errno.
#include <math.h>
#define FAILED \
    (errno != 0)

void roots(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++) // missed: the file reads errno, which roots may set [roots]
        to[i] = sqrt(from[i]);
}
