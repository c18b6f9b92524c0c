#include <math.h>
void f(int n, double *restrict u, double *restrict sums)
{
    for (int i = 0; i < n; i++) {
        double a = u[i] * 0.5 - 0.25, r = a * a + 0.125 * a;
        if (r < 8.0) {
            double t = sqrt(r + 2.0) / (1.0 + r * r), g = a * t;
            double h = g > t - 1.0 ? g : t;
            sums[0] += h;
            sums[1] = sums[1] * 0.5 + g;
        }
    }
}
