#include <stdio.h>
#define N 9
int a[40][40], b[4000];
int f(int n, int m)
{
    int k = 70, q = 3;
NEST
    return k * 100 + q;
}
int main(void)
{
    for (int n = 0; n < 12; n += 3) {
        printf("%d\n", f(n, n / 2));
        for (int i = 0; i < 1600; i++) printf("%d ", a[i / 40][i % 40]);
        for (int i = 0; i < 4000; i++) b[i] += 3 * i;
    }
    return 0;
}
