#include <math.h>
#define TWICE(x) twice(x)
static double deep(double x) { return x + 1; }
static double twice(double x) { return 2 * deep(x); }
static double other(double x)
{
    /* of no use here */
    return x - 1;
}
static double named(x) double x; { return x; }
double with_macro(double x) {
#define INNER 3
    return x + INNER;
}
void sweep(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = TWICE(a[i]);
}
double last(double x) { return x * INNER; }
