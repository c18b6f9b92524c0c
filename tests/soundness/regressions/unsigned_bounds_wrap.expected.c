// Sums and products of unsigned numbers may wrap: then the source's loops have few iterations.
#include <stdio.h>
#include <limits.h>
static double a[64][64], b[64][64];
static void sum(unsigned n)
{
    {
        /* s2s: permuted loops to (i, j), simd inside */
        if ((long)n <= 4294967294L) {
            for (unsigned int i = 0; i <= (long)n; i++) {
#pragma GCC ivdep
                for (unsigned int j = 0; j <= 63; j++) {
                    a[i][j] += b[i][j];
                }
            }
        } else {
    for (unsigned j = 0; j < 64; j++)
        for (unsigned i = 0; i < n + 1; i++)
            a[i][j] += b[i][j];
        }
    }
}
static void twice(unsigned n)
{
    {
        /* s2s: permuted loops to (i, j), simd inside */
        if ((long)n >= 1 && (long)n <= 2147483647) {
            for (unsigned int i = 0; i < 2 * (long)n; i++) {
#pragma GCC ivdep
                for (unsigned int j = 0; j <= 63; j++) {
                    a[i][j] += b[i][j] * 0.5;
                }
            }
        } else {
    for (unsigned j = 0; j < 64; j++)
        for (unsigned i = 0; i < 2 * n; i++)
            a[i][j] += b[i][j] * 0.5;
        }
    }
}
static void shifted(unsigned n)
{
    {
        /* s2s: permuted loops to (i, j), simd inside */
        if ((long)n >= 1 && (long)n <= 1073741823) {
            for (unsigned int i = 0; i < 4 * (long)n; i++) {
#pragma GCC ivdep
                for (unsigned int j = 0; j <= 63; j++) {
                    a[i][j] -= b[i][j];
                }
            }
        } else {
    for (unsigned j = 0; j < 64; j++)
        for (unsigned i = 0; i < n << 2; i++)
            a[i][j] -= b[i][j];
        }
    }
}
static void product(unsigned n, unsigned m)
{
    {
        /* s2s: permuted loops to (i, j), simd inside */
        if ((long)(n * m) >= 1) {
            for (unsigned int i = 0; i < (long)(n * m); i++) {
#pragma GCC ivdep
                for (unsigned int j = 0; j <= 63; j++) {
                    a[i][j] = a[i][j] * 0.5 - b[i][j];
                }
            }
        } else {
    for (unsigned j = 0; j < 64; j++)
        for (unsigned i = 0; i < n * m; i++)
            a[i][j] = a[i][j] * 0.5 - b[i][j];
        }
    }
}
int main(void)
{
    double total = 0;
    for (int k = 0; k < 4096; k++)
        b[k / 64][k % 64] = k % 37;
    unsigned numbers[] = { 0, 1, 7, UINT_MAX, 1u << 31, (1u << 30) + 3, 12 };
    for (int k = 0; k < 7; k++) {
        sum(numbers[k] < 64 || numbers[k] == UINT_MAX ? numbers[k] : 3);
        twice(numbers[k] == UINT_MAX || numbers[k] == (1u << 30) + 3 ? 5 : numbers[k]);
        shifted(numbers[k] == UINT_MAX ? 5 : numbers[k]);
        product(numbers[k] == UINT_MAX ? 2 : numbers[k], numbers[k] < 64 ? 3 : 4);
    }
    for (int k = 0; k < 4096; k++)
        total = total * 0.999 + a[k / 64][k % 64];
    printf("%.17g\n", total);
    return 0;
}
