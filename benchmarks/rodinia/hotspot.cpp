/* Temperature of a chip: explicit steps, each a call with two parallel loops, stencil and copy.
 *
 * Subscripts are linearized with a parameter, and a chain of nine cases tells corners, edges and
 * the inside apart. The number of threads and the temperature around the chip are global.
 *
 * usage: hotspot [N [STEPS]]
 */
#include <omp.h>

#include "../harness.h"

using namespace std;

#define PARALLEL
#define CONDUCTIVITY 100
#define SPECIFIC_HEAT 1.75e6
#define SHARE_OF_CHIP 0.5

double thickness = 0.0005;
double edge = 0.016;
double ambient = 80.0;

int threads;

void advance(double *result, double *heat, double *power, int rows, int columns, double capacity,
             double across, double down, double up, double dt)
{
    double delta;
    int r, c;
#ifdef PARALLEL
    omp_set_num_threads(threads);
#pragma omp parallel for shared(power, heat, result) private(r, c, delta) \
    firstprivate(rows, columns) schedule(static)
#endif
    for (r = 0; r < rows; r++) {
        for (c = 0; c < columns; c++) {
            if ((r == 0) && (c == 0)) {
                delta = (dt / capacity)
                        * (power[0] + (heat[1] - heat[0]) / across
                           + (heat[columns] - heat[0]) / down + (ambient - heat[0]) / up);
            } else if ((r == 0) && (c == columns - 1)) {
                delta = (dt / capacity)
                        * (power[c] + (heat[c - 1] - heat[c]) / across
                           + (heat[c + columns] - heat[c]) / down + (ambient - heat[c]) / up);
            } else if ((r == rows - 1) && (c == columns - 1)) {
                delta = (dt / capacity)
                        * (power[r * columns + c]
                           + (heat[r * columns + c - 1] - heat[r * columns + c]) / across
                           + (heat[(r - 1) * columns + c] - heat[r * columns + c]) / down
                           + (ambient - heat[r * columns + c]) / up);
            } else if ((r == rows - 1) && (c == 0)) {
                delta = (dt / capacity)
                        * (power[r * columns]
                           + (heat[r * columns + 1] - heat[r * columns]) / across
                           + (heat[(r - 1) * columns] - heat[r * columns]) / down
                           + (ambient - heat[r * columns]) / up);
            } else if (r == 0) {
                delta = (dt / capacity)
                        * (power[c] + (heat[c + 1] + heat[c - 1] - 2.0 * heat[c]) / across
                           + (heat[columns + c] - heat[c]) / down + (ambient - heat[c]) / up);
            } else if (c == columns - 1) {
                delta = (dt / capacity)
                        * (power[r * columns + c]
                           + (heat[(r + 1) * columns + c] + heat[(r - 1) * columns + c]
                              - 2.0 * heat[r * columns + c])
                                 / down
                           + (heat[r * columns + c - 1] - heat[r * columns + c]) / across
                           + (ambient - heat[r * columns + c]) / up);
            } else if (r == rows - 1) {
                delta = (dt / capacity)
                        * (power[r * columns + c]
                           + (heat[r * columns + c + 1] + heat[r * columns + c - 1]
                              - 2.0 * heat[r * columns + c])
                                 / across
                           + (heat[(r - 1) * columns + c] - heat[r * columns + c]) / down
                           + (ambient - heat[r * columns + c]) / up);
            } else if (c == 0) {
                delta = (dt / capacity)
                        * (power[r * columns]
                           + (heat[(r + 1) * columns] + heat[(r - 1) * columns]
                              - 2.0 * heat[r * columns])
                                 / down
                           + (heat[r * columns + 1] - heat[r * columns]) / across
                           + (ambient - heat[r * columns]) / up);
            } else {
                delta = (dt / capacity)
                        * (power[r * columns + c]
                           + (heat[(r + 1) * columns + c] + heat[(r - 1) * columns + c]
                              - 2.0 * heat[r * columns + c])
                                 / down
                           + (heat[r * columns + c + 1] + heat[r * columns + c - 1]
                              - 2.0 * heat[r * columns + c])
                                 / across
                           + (ambient - heat[r * columns + c]) / up);
            }
            result[r * columns + c] = heat[r * columns + c] + delta;
        }
    }

#ifdef PARALLEL
    omp_set_num_threads(threads);
#pragma omp parallel for shared(result, heat) private(r, c) schedule(static)
#endif
    for (r = 0; r < rows; r++) {
        for (c = 0; c < columns; c++) {
            heat[r * columns + c] = result[r * columns + c];
        }
    }
}

/* The resistances and the capacity of a cell follow from its size; so does the time step. */
void simulate(double *result, int steps, double *heat, double *power, int rows, int columns)
{
    double height = edge / rows, width = edge / columns;
    double capacity = SHARE_OF_CHIP * SPECIFIC_HEAT * thickness * width * height;
    double across = width / (2.0 * CONDUCTIVITY * thickness * height);
    double down = height / (2.0 * CONDUCTIVITY * thickness * width);
    double up = thickness / (CONDUCTIVITY * height * width);
    double dt = 0.5 * capacity / (2.0 / across + 2.0 / down + 1.0 / up);

    for (int i = 0; i < steps; i++) {
        advance(result, heat, power, rows, columns, capacity, across, down, up, dt);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2048;
    int steps = argc > 2 ? atoi(argv[2]) : 12;
    if (n < 2 || n > 30000 || steps < 0) {
        fprintf(stderr, "usage: %s [N [STEPS]]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)n * n;
    double *heat = (double *)zeroed(count, sizeof *heat);
    double *power = (double *)zeroed(count, sizeof *power);
    double *result = (double *)zeroed(count, sizeof *result);
    for (size_t i = 0; i < count; i++) {
        heat[i] = ambient + i % 29 / 2.0;
        power[i] = i % 101 / 25000.0;
    }
    threads = omp_get_max_threads();

    double start = omp_get_wtime();
    simulate(result, steps, heat, power, n, n);
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 " %016" PRIx64 "\n", hash_of(heat, count * sizeof *heat),
           hash_of(result, count * sizeof *result));
    printf("sum: %.12g\n", sum_of_doubles(heat, count));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(heat);
    free(power);
    free(result);
    return 0;
}
