#include <stdio.h>

static void fill_int(int *p, long n) { for (long i = 0; i < n; i++) p[i] = (int)((i * 37 + 11) % 1009); }
static void fill_long(long *p, long n) { for (long i = 0; i < n; i++) p[i] = (i * 53 + 7) % 1009; }
static void fill_double(double *p, long n) { for (long i = 0; i < n; i++) p[i] = (double)(i % 64) / 8; }
static void show(const char *what, const void *data, unsigned long size) {
    unsigned long hash = 1469598103934665603UL;
    for (unsigned long i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211UL;
    printf("%s %016lx\n", what, hash);
    fflush(stdout);
}
