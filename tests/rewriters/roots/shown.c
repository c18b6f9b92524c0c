// s2s: -- -O3 -Wredundant-decls -Werror
// stays
// What is declared again would be an error.
#include <math.h>

void roots(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = sqrt(from[i]);
}
