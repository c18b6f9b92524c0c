/* Argument: size of the matrix.
 *
 * The suite's own main sets omp_num_threads to 1 and has no option for it; here it is what
 * OMP_NUM_THREADS says, so that the original is measured in parallel, too.
 */
#include <omp.h>

#include "../bench.h"

int omp_num_threads = 1;

void lud_omp(float *a, int size);

int main(int argc, char **argv)
{
    int n = bench_argument(argc, argv, 1);
    size_t cells = (size_t)n * (size_t)n;
    float *a = (float *)bench_alloc(cells, sizeof *a);
    for (size_t i = 0; i < cells; i++)
        a[i] = (float)bench_random(1, i);
    for (size_t i = 0; i < (size_t)n; i++)
        a[i * (size_t)n + i] += (float)n;

    omp_num_threads = omp_get_max_threads();
    double start = bench_now();
    lud_omp(a, n);
    bench_time(bench_now() - start);
    bench_floats("a", a, cells);
    return 0;
}
