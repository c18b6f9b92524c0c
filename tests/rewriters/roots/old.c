// s2s: -- -O2
// run
// Declared as before C90, and found behind a directive and comments.
#include <stdio.h>
double sqrt();

#ifndef LEAST
#define LEAST 2
#endif
/* distances
 * from the origin */
// in three dimensions
double far(n, x, y)
    int n;
    double *x, *y;
{
    double most = 0;
    int i;
    for (i = 0; i < n; i++) { // remark: roots set no errno [roots]
        double d = sqrt(x[i] * x[i] + y[i] * y[i]);
        y[i] = d;
        if (d > most)
            most = d;
    }
    return most;
}

int main()
{
    static double x[100], y[100];
    int i;
    for (i = 0; i < 100; i++) {
        x[i] = i % 7 - 3.5;
        y[i] = 0.1 * i;
    }
    printf("%a %a\n", far(100, x, y), y[LEAST]);
    return 0;
}
