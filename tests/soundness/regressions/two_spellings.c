// s2s: --passes=jam --force
// stays
// missed@*: an element of 'p' is spelled in several ways
/* One element by two names: what is held in a register has to be held for both. */
#include <stdio.h>

static long a[90];
static long b[90];

static void mix(long *p, long *end, int n)
{
    for (int i = 0; i < n; i++)
        for (long *q = p + 1; q < end; q++)
            *q += (q[0] & 63) + i;
}

static void add(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j] += (b[j + 0] & 63) + i;
}

int main(void)
{
    for (int k = 0; k < 90; k++)
        a[k] = b[k] = k * 7 % 31;
    for (int n = 1; n < 20; n += 5) {
        mix(a, a + 60, n);
        add(n, 70);
    }
    for (int k = 0; k < 90; k++)
        printf("%ld %ld\n", a[k], b[k]);
    return 0;
}
