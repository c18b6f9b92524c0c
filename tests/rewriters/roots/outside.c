// s2s: -- -O3
// stays
// A root outside of loops, and a loop without.
#include <math.h>

double norm(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i]; // missed: floating-point operations keep their order
    return sqrt(sum);
}
