/* Matrix product in the textbook order: the innermost loop walks down a column of b.
 *
 * usage: matmul [N]
 */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void multiply(int n, double a[n][n], double b[n][n], double c[n][n])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            c[i][j] = 0.0;
            for (int k = 0; k < n; k++) {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
}

static void set_up(int n, double *a, double *b)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[(size_t)i * n + j] = (i * 3 + j * 5) % 17 / 16.0;
            b[(size_t)i * n + j] = (i * 7 + j * 11) % 19 / 18.0 - 0.5;
        }
    }
}

/* 64-bit FNV-1a over the bit patterns. */
static uint64_t hash(const double *values, size_t count)
{
    uint64_t result = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        result = (result ^ bits) * 0x100000001b3u;
    }
    return result;
}

static double sum(const double *values, size_t count)
{
    double result = 0.0;
    for (size_t i = 0; i < count; i++) {
        result += values[i];
    }
    return result;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 700;
    if (n < 1 || n > 10000) {
        fprintf(stderr, "usage: %s [N]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)n * n;
    double *a = malloc(count * sizeof *a);
    double *b = malloc(count * sizeof *b);
    double *c = malloc(count * sizeof *c);
    if (!a || !b || !c) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
        return 1;
    }
    set_up(n, a, b);

    double start = omp_get_wtime();
    multiply(n, (double (*)[n])a, (double (*)[n])b, (double (*)[n])c);
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 "\n", hash(c, count));
    printf("sum: %.12g\n", sum(c, count));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(a);
    free(b);
    free(c);
    return 0;
}
