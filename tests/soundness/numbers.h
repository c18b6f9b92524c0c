/* Numbers to compute with, and a sum of bytes to compare. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double *numbers(size_t count, int seed)
{
    size_t k;
    double *p = (double *)malloc((count + 64) * sizeof *p);
    for (k = 0; k < count + 64; k++)
        p[k] = (double)((k * 37 + seed * 101 + k * k % 13) % 256) / 255.0;
    return p;
}
static void show(const char *name, const void *p, size_t bytes)
{
    const unsigned char *b = (const unsigned char *)p;
    unsigned long long h = 14695981039346656037ULL;
    size_t k;
    for (k = 0; k < bytes; k++) h = (h ^ b[k]) * 1099511628211ULL;
    printf("%s %llx\n", name, h);
}
