/* Conversions in steps, bounds and rows of loops that change the value. */
#include <stdio.h>

static int a[1100], b[1100];

static void steps(int n)
{
    for (int i = 0; i < n; i += (unsigned char)258) a[i] += b[i];
    for (int i = 0; i < n; i = (unsigned char)259 + i) a[i] -= b[i] / 2;
    for (int i = 1000; i >= 0; i = (unsigned char)i - 1) a[i] += b[i];
}

static void bounds(int n)
{
    for (int i = 300; (unsigned char)i < 200; i++) a[i] += b[i];
    for (int i = 500; (signed char)i + 1 < n; i++) a[i] ^= b[i];
}

static void keeps(int n)
{
    for (short i = 0; (long)i < n; i = (short)(i + 1)) a[i] += b[i + 1];
}

int main(void)
{
    unsigned sum = 0;
    {
        /* s2s: the loop over 'i' runs backwards */
        const int s2s_i_first = 1099L;
        for (int i = s2s_i_first; i >= 0; i--) {
            a[i] = i * 7 % 101, b[i] = i * i % 89;
        }
    }
    steps(900);
    bounds(90);
    keeps(1000);
    for (int i = 0; i < 1100; i++) sum = sum * 31 + (unsigned)a[i];
    printf("%u\n", sum);
    return 0;
}
