/* Arguments: size of the matrices, size below which blocks are multiplied, depth of tasks. */
#include "../bench.h"

void strassen_main_par(double *A, double *B, double *C, int n, unsigned int cutoff_size,
                       unsigned int cutoff_depth);

int main(int argc, char **argv)
{
    int n = bench_argument(argc, argv, 1);
    int size = bench_argument(argc, argv, 2);
    int depth = bench_argument(argc, argv, 3);
    size_t cells = (size_t)n * (size_t)n;
    double *a = (double *)bench_alloc(cells, sizeof *a);
    double *b = (double *)bench_alloc(cells, sizeof *b);
    double *c = (double *)bench_alloc(cells, sizeof *c);
    for (size_t i = 0; i < cells; i++) {
        a[i] = bench_random(1, i);
        b[i] = bench_random(2, i);
    }

    double start = bench_now();
    strassen_main_par(a, b, c, n, (unsigned)size, (unsigned)depth);
    bench_time(bench_now() - start);
    bench_doubles("c", c, cells);
    return 0;
}
