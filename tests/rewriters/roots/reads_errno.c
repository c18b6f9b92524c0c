// s2s: -- -O3
// stays
// Who asks for errno gets it.
#include <errno.h>
#include <math.h>

int roots(int n, const double *from, double *to)
{
    errno = 0;
    for (int i = 0; i < n; i++) // missed: the file reads errno, which roots may set [roots]
        to[i] = sqrt(from[i]);
    return errno;
}
