#include <stdio.h>
static double m[40][40];
static void note(int k) { printf("%d\n", k); }
int main(void)
{
#ifdef A
    note(1);
    #pragma omp parallel for
#endif
    for (int i = 0; i < 40; i++) {
#ifdef B
        for (int j = 1; j < 40; j++) m[j][i] = m[j][i] + i - j;
#else
        for (int j = 0; j < 40; j++) m[j][i] = m[j][i] + 2 * i - j;
#endif
    }
#ifdef C
    note(2);
#endif
    for (int i = 0; i < 40; i += 3) printf("%g %g\n", m[i][39 - i], m[i][i]);
    return 0;
}
