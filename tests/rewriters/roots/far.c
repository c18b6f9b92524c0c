// s2s: -- -O3
// run
// The way from the first to the last of several points, and roots of what has none.
#include <math.h>
#include <stdio.h>

void far(int n, double (*restrict to)[2], const double (*restrict x)[2])
{
    for (int i = 0; i < n; i++) // remark: roots set no errno [roots]
        for (int k = 0; k < 2; k++)
            to[i][k] = sqrt(x[i][k]);
}

int main(void)
{
    static double to[37][2], x[37][2];
    for (int i = 0; i < 37; i++)
        for (int k = 0; k < 2; k++)
            x[i][k] = i % 5 ? i * 0.3 + k : k - 0.5;
    x[3][0] = -0.0;
    x[4][1] = INFINITY;
    x[8][0] = NAN;
    x[9][1] = -INFINITY;
    x[10][0] = 5e-324;
    far(37, to, x);
    for (int i = 0; i < 37; i++)
        printf("%a %a\n", to[i][0], to[i][1]);
    return 0;
}
