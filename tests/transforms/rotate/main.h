/* A program around f(), or the functions of CALLS, on arrays that are apart or overlap. */
#include <stdio.h>
#include <stdlib.h>
static void show(const char *name, const void *p, unsigned long size)
{
    unsigned long hash = 1469598103934665603UL;
    for (unsigned long i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)p)[i]) * 1099511628211UL;
    printf("%s %016lx\n", name, hash);
}
#ifndef CALLS
#define CALLS f(n, m, x, y, z, k + 16, (double (*)[m])a);
#endif
int main(void)
{
    static const int sizes[][2] = {
        {0, 0}, {1, 1}, {2, 3}, {3, 2}, {4, 5}, {5, 17}, {18, 4}, {40, 33}
    };
    static double data[4096], a[2048];
    static long k[512];
    for (int s = 0; s < 8; s++)
        for (int overlap = 0; overlap < 3; overlap++) {
            int n = sizes[s][0], m = sizes[s][1];
            for (int i = 0; i < 4096; i++) data[i] = (i * 37 + 11) % 64 / 32.0;
            for (int i = 0; i < 2048; i++) a[i] = (i * 29 + 3) % 64 / 64.0;
            for (int i = 0; i < 512; i++) k[i] = i % 7;
            /* apart; y in the middle of x; z the next element of x */
            double *x = data + 16, *y = data + (overlap == 1 ? 20 : 1040);
            double *z = data + (overlap == 2 ? 17 : 2064);
            if (n > 0 && m > 0) { CALLS }
            show("data", data, sizeof data);
            show("a", a, sizeof a);
            show("k", k, sizeof k);
        }
    return 0;
}
