#include <stdio.h>
static float a[4000], b[4000];
static int f(int n, int m, float *in, float *out)
{
    int seen = 0;
    for (int i = 1; i < n; i++) {
BODY
    }
    return seen;
}
int main(void)
{
    for (int n = 0; n < 12; n += 3) {
        for (int i = 0; i < 4000; i++) a[i] = i % 37, b[i] = i % 11;
        printf("%d\n", f(n, n / 2, a + 1000, b + 1500));
        for (int i = 0; i < 4000; i++) printf("%g %g ", a[i], b[i]);
    }
    return 0;
}
