/* Temperature of a chip under load: a stencil whose subscripts are linearized, r * columns + c.
 *
 * At the edges a cell stands in for the neighbour that it lacks. Each step is one function call
 * with two parallel loops, the stencil and the copy back.
 *
 * usage: hotplate [N [STEPS]]
 */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ambient = 80.0;

void step(double *result, double *temperature, double *power, int rows, int columns, double rate)
{
    double delta;
    int r, c;

#pragma omp parallel for private(r, c, delta) shared(result, temperature, power)
    for (r = 0; r < rows; r++) {
        for (c = 0; c < columns; c++) {
            double here = temperature[r * columns + c];
            double north = r == 0 ? here : temperature[(r - 1) * columns + c];
            double south = r == rows - 1 ? here : temperature[(r + 1) * columns + c];
            double west = c == 0 ? here : temperature[r * columns + c - 1];
            double east = c == columns - 1 ? here : temperature[r * columns + c + 1];
            delta = power[r * columns + c] + (north + south - 2.0 * here) / 3.0
                    + (east + west - 2.0 * here) / 4.0 + (ambient - here) / 8.0;
            result[r * columns + c] = here + rate * delta;
        }
    }

#pragma omp parallel for private(r, c)
    for (r = 0; r < rows; r++) {
        for (c = 0; c < columns; c++) {
            temperature[r * columns + c] = result[r * columns + c];
        }
    }
}

static void simulate(double *result, double *temperature, double *power, int n, int steps)
{
    for (int t = 0; t < steps; t++) {
        step(result, temperature, power, n, n, 0.25);
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
    int steps = argc > 2 ? atoi(argv[2]) : 32;
    if (n < 2 || n > 30000 || steps < 1) {
        fprintf(stderr, "usage: %s [N [STEPS]]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)n * n;
    double *temperature = malloc(count * sizeof *temperature);
    double *result = malloc(count * sizeof *result);
    double *power = malloc(count * sizeof *power);
    if (!temperature || !result || !power) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        temperature[i] = ambient + i % 23;
        power[i] = i % 101 / 100.0;
    }

    double start = omp_get_wtime();
    simulate(result, temperature, power, n, steps);
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 " %016" PRIx64 "\n", hash(temperature, count), hash(result, count));
    printf("sum: %.12g %.12g\n", sum(temperature, count), sum(result, count));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(temperature);
    free(result);
    free(power);
    return 0;
}
