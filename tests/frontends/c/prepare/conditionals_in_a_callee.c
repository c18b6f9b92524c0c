#include <stdio.h>
static double m[40][40];
static void column(double a[40][40], int i)
{
#ifdef A
    for (int j = 0; j < 40; j++) a[j][i] = a[j][i] + i - j;
#endif
#ifndef B
    for (int j = 0; j < 40; j++) a[j][i] = a[j][i] + 2 * i + j;
#endif
}
int main(void)
{
    for (int i = 0; i < 40; i++)
        column(m, i);
    for (int i = 0; i < 40; i += 3) printf("%g %g\n", m[i][39 - i], m[i][i]);
    return 0;
}
