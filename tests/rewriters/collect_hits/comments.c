// s2s: --passes=collect-hits --force -- -fopenmp
// run
/* Comments within conditions, bounds and subscripts, which the new code repeats in one line. */
#include <math.h>
#include <stdio.h>
#define NEAR(square) ((square) < cut)
static double x[300], y[300], force[300];

static int conditions(int n, double cut)
{
    int hits = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0 // from the first one
             ; j < n; j++) {
            double dx = x[i] - x[j], dy = y[i] - y[j];
            double square = dx * dx + dy * dy; // of the distance
            if (square // the square
                    < cut // is near
                && /* not itself */ i != j // and another one
            ) {
                double f = 1 / (1 + square) + sqrt(square + 2);
                force[i // this one
                ] += f * dx;
                hits++;
            }
        }
    return hits;
}

static int macro(int n, double cut, const double *a, const double *b, double *sum)
{
    int hits = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double dx = a[i // one
                          + 1] - a[j], dy = b[i] - b[j];
            double square = dx * dx + dy * dy;
            if (NEAR(square) // the macro's
               ) {
            double f = 1 / (1 + square) + sqrt(square + 2);
            sum[i // one
                + 0] += f * dy;
            hits++;
            }
        }
    return hits;
}

int main(void)
{
    static const int sizes[] = {0, 1, 15, 16, 63, 64, 65, 299};
    for (int k = 0; k < 8; k++)
        for (int cut = 0; cut < 60; cut += 19) {
            for (int i = 0; i < 300; i++) {
                x[i] = i * 37 % 101 / 8.0;
                y[i] = i * 53 % 89 / 8.0;
                force[i] = 0;
            }
            int first = conditions(sizes[k], cut), other = macro(sizes[k], cut, x, y, force);
            int shared = sizes[k] < 200 ? macro(sizes[k], cut, x + 3, y, x + 3) : 0;
            double all = 0;
            for (int i = 0; i < 300; i++) all += force[i] * (i % 7 + 1) + x[i];
            printf("%d %d %d %.17g\n", first, other, shared, all);
        }
    return 0;
}
