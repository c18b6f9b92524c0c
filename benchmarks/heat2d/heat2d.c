/* Heat spreading over a plate: an explicit time step and a copy back, both as parallel loops.
 *
 * usage: heat2d [N [STEPS]]
 */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void diffuse(int n, int steps, double rate, double heat[n][n], double next[n][n])
{
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) {
            for (int j = 1; j < n - 1; j++) {
                next[i][j] = heat[i][j]
                             + rate * (heat[i - 1][j] + heat[i + 1][j] + heat[i][j - 1]
                                       + heat[i][j + 1] - 4.0 * heat[i][j]);
            }
        }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) {
            for (int j = 1; j < n - 1; j++) {
                heat[i][j] = next[i][j];
            }
        }
    }
}

/* Cold inside, with two hot edges. */
static void set_up(int n, double *heat)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            heat[(size_t)i * n + j] = i == 0 ? 100.0 : j == 0 ? 50.0 : (i * 13 + j * 7) % 32;
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
    int n = argc > 1 ? atoi(argv[1]) : 1500;
    int steps = argc > 2 ? atoi(argv[2]) : 64;
    if (n < 3 || n > 30000 || steps < 0) {
        fprintf(stderr, "usage: %s [N [STEPS]]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)n * n;
    double *heat = malloc(count * sizeof *heat);
    double *next = malloc(count * sizeof *next);
    if (!heat || !next) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
        return 1;
    }
    set_up(n, heat);
    memcpy(next, heat, count * sizeof *next);

    double start = omp_get_wtime();
    diffuse(n, steps, 0.2, (double (*)[n])heat, (double (*)[n])next);
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 " %016" PRIx64 "\n", hash(heat, count), hash(next, count));
    printf("sum: %.12g %.12g\n", sum(heat, count), sum(next, count));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(heat);
    free(next);
    return 0;
}
