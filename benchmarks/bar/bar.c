/* Heat spreading along a bar: explicit time steps, each with a copy back, one thread.
 *
 * usage: bar [N [STEPS]]
 */
#include <omp.h>

#include "../harness.h"

static void diffuse(int n, int steps, double rate, double *heat, double *next)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            next[i] = heat[i] + rate * (heat[i - 1] + heat[i + 1] - 2.0 * heat[i]);
        }
        for (int i = 1; i < n - 1; i++) {
            heat[i] = next[i];
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20000;
    int steps = argc > 2 ? atoi(argv[2]) : 20001;
    if (n < 3 || steps < 0) {
        fprintf(stderr, "usage: %s [N [STEPS]]\n", argv[0]);
        return 2;
    }
    double *heat = zeroed(n, sizeof *heat);
    double *next = zeroed(n, sizeof *next);
    for (int i = 0; i < n; i++) {
        heat[i] = i == 0 ? 100.0 : (i * 13) % 32;
        next[i] = -1.0;
    }
    double start = omp_get_wtime();
    diffuse(n, steps, 0.2, heat, next);
    double end = omp_get_wtime();

    uint64_t bits = hash_more(hash_of(heat, n * sizeof *heat), next, n * sizeof *next);
    printf("bits: %016" PRIx64 "\n", bits);
    printf("sum: %.12g %.12g\n", sum_of_doubles(heat, n), sum_of_doubles(next, n));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(heat);
    free(next);
    return 0;
}
