#include <stdio.h>
static double m[40][40];
int main(void)
{
    for (int i = 0; i < 40; i++) {
        for (int j = 0; j < 40; j++)
#if A > 1
            m[j][i] = m[j][i] + i - j;
#elif defined(B)
            m[j][i] = m[j][i] + 2 * i - j;
#else
# ifndef C
            m[j][i] = m[j][i] + 3 * i - j;
# else
            m[j][i] = m[j][i] + 4 * i - j;
# endif
#endif
    }
    for (int i = 0; i < 40; i += 3) printf("%g %g\n", m[i][39 - i], m[i][i]);
    return 0;
}
