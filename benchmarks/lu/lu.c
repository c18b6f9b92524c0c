/* LU decomposition without pivoting, row i of U and then column i of L, in place.
 *
 * The loops are triangular, the subscripts linearized, and each element is accumulated in a
 * scalar before it is stored.
 *
 * usage: lu [N]
 */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void decompose(double *a, int n)
{
    int i, j, k;
    double rest;

    for (i = 0; i < n; i++) {
#pragma omp parallel for default(none) private(j, k, rest) shared(n, i, a)
        for (j = i; j < n; j++) {
            rest = a[i * n + j];
            for (k = 0; k < i; k++) {
                rest -= a[i * n + k] * a[k * n + j];
            }
            a[i * n + j] = rest;
        }
#pragma omp parallel for default(none) private(j, k, rest) shared(n, i, a)
        for (j = i + 1; j < n; j++) {
            rest = a[j * n + i];
            for (k = 0; k < i; k++) {
                rest -= a[j * n + k] * a[k * n + i];
            }
            a[j * n + i] = rest / a[i * n + i];
        }
    }
}

/* Small off the diagonal and large on it, so that no pivot is needed. */
static void set_up(int n, double *a)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[(size_t)i * n + j] = i == j ? 2.0 * n : (i * 31 + j * 17) % 29 / 28.0;
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
    int n = argc > 1 ? atoi(argv[1]) : 1100;
    if (n < 1 || n > 10000) {
        fprintf(stderr, "usage: %s [N]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)n * n;
    double *a = malloc(count * sizeof *a);
    if (!a) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
        return 1;
    }
    set_up(n, a);

    double start = omp_get_wtime();
    decompose(a, n);
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 "\n", hash(a, count));
    printf("sum: %.12g\n", sum(a, count));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(a);
    return 0;
}
