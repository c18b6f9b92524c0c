/* Arguments: size of the grid, time steps. */
#include <omp.h>

#include "../bench.h"

extern int num_omp_threads;

void compute_tran_temp(double *result, int num_iterations, double *temp, double *power, int row,
                       int col);

int main(int argc, char **argv)
{
    int n = bench_argument(argc, argv, 1);
    int steps = bench_argument(argc, argv, 2);
    size_t cells = (size_t)n * (size_t)n;
    double *result = (double *)bench_alloc(cells, sizeof *result);
    double *temperature = (double *)bench_alloc(cells, sizeof *temperature);
    double *power = (double *)bench_alloc(cells, sizeof *power);
    for (size_t i = 0; i < cells; i++) {
        temperature[i] = 323.0 + 20.0 * bench_random(1, i);
        power[i] = 1e-3 * bench_random(2, i);
    }

    num_omp_threads = omp_get_max_threads();
    double start = bench_now();
    compute_tran_temp(result, steps, temperature, power, n, n);
    bench_time(bench_now() - start);
    bench_doubles("temperature", temperature, cells);
    return 0;
}
