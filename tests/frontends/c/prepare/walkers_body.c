#include <stdio.h>
static float a[9000], b[9000];
static float f(int n, int m, float *in, float *out)
{
    float s = 0;
    int i, l;
BODY
    return s;
}
int main(void)
{
    for (int n = -1; n < 12; n += 3)
        for (int m = 0; m < 8; m += 3) {
            for (int i = 0; i < 9000; i++) a[i] = i % 37, b[i] = i % 11;
            printf("%g\n", f(n, m, a + 3000, b + 3500));
            for (int i = 0; i < 9000; i++) printf("%g %g ", a[i], b[i]);
        }
    return 0;
}
